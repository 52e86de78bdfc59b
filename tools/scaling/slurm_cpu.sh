#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
#
# Strong scaling of upsweep-nbody on CPUs: sbatch slurm_cpu.sh. A rank for each socket; its threads are the socket's
# cores. Fill in what stands between < and >; runs take the nodes of the job.
#SBATCH --job-name=upsweep-scaling
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=<cores of a socket>
#SBATCH --time=00:30:00
#SBATCH --exclusive
set -eu
module load <modules of Kokkos and MPI>
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PROC_BIND=close OMP_PLACES=cores
# Ranks fill one node after the other: 2 of them share a node.
launch="srun --distribution=block,Pack --ntasks={ranks} --cpus-per-task=$SLURM_CPUS_PER_TASK --cpu-bind=cores"
python3 <folder of upsweep>/tools/scaling/measure.py --out "scaling-$SLURM_JOB_ID" --ranks 1,2,4,8 --cells 100,100,100 \
  --launch "$launch" --program upsweep-nbody
