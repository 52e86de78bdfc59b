# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Thermostats: the same state on any number of ranks, and after a restart.
foreach(thermostat IN ITEMS langevin rescale)
  set(options
      --lattice fcc --cells 6,8,10 --seed 7 --steps 60 --thermo 20 --report report.json --thermostat ${thermostat}
      --thermostat-temperature 0.9 --thermostat-time 0.2 --checkpoint c --checkpoint-every 25
  )
  set(name nbody_${thermostat})
  nbody_run(${name}_np1 1 ${options})
  nbody_run(${name}_np3 3 ${options})
  nbody_compare(end ${name}_np3 ${name}_np1)
  nbody_run(${name}_restart 2 --restart "${CMAKE_CURRENT_BINARY_DIR}/${name}_np3/c.previous" --steps 60 --report
            report.json
  )
  set_tests_properties(${name}_restart PROPERTIES FIXTURES_REQUIRED ${name}_np3)
  nbody_compare(end ${name}_restart ${name}_np1)
  nbody_run(${name}_long 2 --lattice fcc --cells 6,8,10 --seed 7 --steps 3000 --thermo 10 --report report.json
            --thermostat ${thermostat} --thermostat-temperature 0.9 --thermostat-time 0.2
  )
  nbody_check(
    ${name}_long_check ${name}_long upsweep_check_nbody temperature
    "${CMAKE_CURRENT_BINARY_DIR}/${name}_long/report.json" 0.9 0.01
  )
  set_tests_properties(${name}_long ${name}_long_check PROPERTIES LABELS long)
endforeach()

# With energies that are zero at the cutoff, pairs that cross it do not change the total energy. LAMMPS: 1.05e-5.
nbody_run(nbody_drift 2 --lattice fcc --cells 8,8,8 --shift --steps 250 --thermo 10 --report report.json)
nbody_check(
  nbody_drift_check nbody_drift upsweep_check_nbody drift "${CMAKE_CURRENT_BINARY_DIR}/nbody_drift/report.json" 5e-5
)
nbody_run(nbody_long_drift 2 --input "${shipped}" --shift --steps 1000 --thermo 10 --report report.json)
nbody_check(
  nbody_long_drift_check nbody_long_drift upsweep_check_nbody drift
  "${CMAKE_CURRENT_BINARY_DIR}/nbody_long_drift/report.json" 3e-5
)
set_tests_properties(nbody_long_drift nbody_long_drift_check PROPERTIES LABELS long TIMEOUT 1500)

nbody_refuses(thermostat_name "--thermostat nose: expected none, langevin or rescale" ${lattice} --thermostat nose)
nbody_refuses(thermostat_alone "expected --thermostat-temperature, too" ${lattice} --thermostat langevin)
nbody_refuses(thermostat_time_alone "--thermostat-time: expected --thermostat langevin or rescale" ${lattice}
              --thermostat-time 2
)
nbody_refuses(thermostat_time_0 "--thermostat-time 0: expected a finite number greater" ${lattice} --thermostat-time 0)
nbody_refuses(seed_alone "--seed 5: expected --lattice, --temperature or --thermostat" --input x --seed 5)
