# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Prints what a run of the shipped system gave beside LAMMPS' values, and plots it: demo_report.py report.json FOLDER

Ends with exit code 1 where a value is outside the tolerance.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

# LAMMPS 29Sep2021 from the same positions and velocities, neigh_modify delay 0 every 1 check yes.
LAMMPS = {
    0: {"temperature": 1.44, "potential": -6.77336805323422, "total": -4.61343555323421, "pressure": -5.01970725908556},
    50: {
        "temperature": 0.740093455289665,
        "potential": -5.73150214756841,
        "total": -4.62139665651463,
        "pressure": 0.335287416870234,
    },
    100: {
        "temperature": 0.75745998260481,
        "potential": -5.75849977776201,
        "total": -4.62234530979148,
        "pressure": 0.207299963561394,
    },
}
QUANTITIES = ["temperature", "potential", "total", "pressure"]
# Full neighbours within 2.8: a perfect fcc lattice at step 0, LAMMPS' count at step 100.
PAIRS = {0: 2496000, 100: 2405658}


def tolerance(step):
    """Chaotic motion doubles rounding differences every few steps, so later steps are held to less."""
    return 1e-10 if step == 0 else 1e-8


def print_thermo(thermo):
    """Prints the table and returns how many values are wrong."""
    wrong = 0
    print(f"{'step':>5}  {'quantity':<12}{'Upsweep':>20}{'LAMMPS':>20}{'relative difference':>22}")
    compared = [row for row in thermo if row["step"] in LAMMPS]
    for row in compared:
        for quantity in QUANTITIES:
            reference = LAMMPS[row["step"]][quantity]
            difference = abs(row[quantity] - reference) / abs(reference)
            good = difference <= tolerance(row["step"])
            wrong += not good
            print(
                f"{row['step']:>5}  {quantity:<12}{row[quantity]:>20.14g}{reference:>20.15g}{difference:>17.1e}"
                f"{'   ok' if good else '   WRONG'}"
            )
    if len(compared) != len(LAMMPS):
        print(f"the report has {len(compared)} of the {len(LAMMPS)} steps that LAMMPS was asked for")
        wrong += 1
    return wrong


def print_lists(lists):
    wrong = 0
    print("\nneighbours within cutoff + skin")
    for row in lists:
        expected = PAIRS.get(row["step"])
        verdict = ""
        if expected is not None:
            wrong += row["pairs"] != expected
            verdict = f"  expected {expected}: {'ok' if row['pairs'] == expected else 'WRONG'}"
        print(
            f"  step {row['step']:>4}: {row['pairs']} pairs, largest row {row['largest_row']}, "
            f"hash {row['list_hash']}{verdict}"
        )
    return wrong


def print_phases(phases):
    print("\nseconds per phase over the ranks      min      mean       max")
    for name, time in phases.items():
        print(f"  {name:<32}{time['min']:>9.4f} {time['mean']:>9.4f} {time['max']:>9.4f}")


def plot(report, folder):
    """Writes demo.svg with gnuplot and returns its path, or None where there is no gnuplot."""
    if shutil.which("gnuplot") is None:
        return None
    thermo = ["# step kinetic potential total"]
    for row in report["thermo"]:
        thermo.append(f"{row['step']} {row['kinetic']:.15g} {row['potential']:.15g} {row['total']:.15g}")
    (folder / "energies.dat").write_text("\n".join(thermo) + "\n")
    phases = ["# phase mean max"]
    phases += [f"\"{name}\" {time['mean']:.9g} {time['max']:.9g}" for name, time in report["phases"].items()]
    (folder / "phases.dat").write_text("\n".join(phases) + "\n")
    script = f"""
set terminal svg size 1000,420 noenhanced font 'sans,12' background '#ffffff'
set output 'demo.svg'
set multiplot layout 1,2 title '{report["atoms"]} Lennard-Jones atoms, {report["ranks"]} MPI ranks, {report["backend"]}'
set xlabel 'step'
set ylabel 'energy per atom'
set key center right
set grid
plot 'energies.dat' using 1:2 with linespoints title 'kinetic', \\
     '' using 1:3 with linespoints title 'potential', \\
     '' using 1:4 with linespoints title 'total'
unset xlabel
set ylabel 'seconds'
set style data histograms
set style fill solid 0.8
set boxwidth 0.9
set yrange [0:*]
set offsets graph 0, 0, 0.3, 0
set xtics rotate by -30
set key top right
plot 'phases.dat' using 2:xtic(1) title 'mean over ranks', '' using 3 title 'slowest rank'
unset multiplot
"""
    (folder / "demo.gp").write_text(script)
    subprocess.run(["gnuplot", "demo.gp"], cwd=folder, check=True)
    return folder / "demo.svg"


def main():
    report = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(sys.argv[2])
    print(f"\nUpsweep {report['version']}, {report['backend']}, {report['ranks']} ranks, {report['atoms']} atoms\n")
    wrong = print_thermo(report["thermo"]) + print_lists(report["lists"])
    print_phases(report["phases"])
    picture = plot(report, folder)
    print(f"\nplot: {picture}" if picture else "\nno plot: gnuplot is not installed")
    print("all values agree with LAMMPS" if wrong == 0 else f"{wrong} values do not agree with LAMMPS")
    return 0 if wrong == 0 else 1


sys.exit(main())
