# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""What make.py measures: name: (file in lammps-examples, its atom style, [(rule, boundaries, cutoff), ...])

Rules: `all` pairs; `special` without pairs that one, two or three bonds join; `types`: 0.75 cutoff between two
atoms of one type; `radii`: the sum of two radii, cutoff / (type + 1) each. No cutoff may be nearer than 1e-9 of
itself to a distance.
"""

SYSTEMS = {
    "bcc": ("QUANTUM/NWChem/data.w.bcc", "atomic",
            [("all", "ppp", 3.0), ("all", "ppp", 9.1), ("all", "ppp", 25.0), ("all", "fff", 9.1)]),
    "quartz": ("vashishta/data.quartz", "atomic",
               [("all", "ppp", 2.0), ("all", "ppp", 7.5), ("all", "ppp", 20.0), ("types", "ppp", 7.5),
                ("radii", "ppp", 12.0)]),
    "bcc_surface": ("QUANTUM/NWChem/data.w.bcc_222", "atomic",
                    [("all", "ppp", 6.0), ("all", "ppf", 6.0), ("all", "ppf", 17.0), ("all", "fpp", 11.0)]),
    "copper": ("PACKAGES/phonon/3-3D-FCC-Cu-EAM/data.pos", "atomic",
               [("all", "ppp", 3.1), ("all", "ppp", 5.3), ("all", "ppp", 12.0)]),
    "tatb": ("reaxff/data.tatb", "charge",
             [("all", "ppp", 4.5), ("all", "ppp", 10.0), ("types", "ppp", 6.0), ("radii", "ppp", 8.0)]),
    "hafnia": ("comb/data.m-HfO2", "charge", [("all", "ppp", 4.0), ("all", "ppp", 9.0), ("types", "ppp", 6.0)]),
    "mos2": ("threebody/single_layer_MoS2.data", "atomic",
             [("all", "ppp", 3.0), ("all", "ppf", 8.0), ("radii", "ppf", 10.0)]),
    "water": ("amoeba/data.water_box.amoeba", "full",
              [("all", "ppp", 3.5), ("all", "ppp", 12.0), ("special", "ppp", 7.0)]),
    "peptide": ("peptide/data.peptide", "full", [("all", "ppp", 4.0), ("all", "ppp", 10.0), ("special", "ppp", 8.0)]),
    "polymers": ("PACKAGES/ilves/data.cg-polymers", "molecular",
                 [("all", "ppp", 1.2), ("all", "ppp", 7.0), ("special", "ppp", 2.5)]),
    "liquid": ("HEAT/data.lj", "atomic", [("all", "ppp", 1.5), ("all", "ppp", 2.8), ("all", "ppp", 5.5)]),
    "ethylene": ("airebo/data.airebo", "atomic",
                 [("all", "ppp", 2.0), ("all", "ppf", 6.0), ("all", "ppp", 15.0), ("radii", "ppp", 6.0)]),
    "micelle": ("micelle/data.micelle", "molecular",
                [("all", "ppp", 1.25), ("all", "ppf", 3.0), ("types", "ppf", 3.0)]),
    "grains": ("granular/spheres200.data", "sphere", [("all", "fff", 0.0021), ("all", "fff", 0.0075)]),
    "chain": ("PACKAGES/phonon/1-1D-mono/data.pos", "molecular", [("all", "ppf", 1.5), ("all", "pff", 40.5)]),
}
