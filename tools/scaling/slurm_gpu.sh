#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
#
# Weak scaling of upsweep-nbody on GPUs: sbatch slurm_gpu.sh. A rank for each GPU; Kokkos takes the GPU by the rank's
# number on its node, so every rank sees all GPUs of the node. Fill in what stands between < and >.
#SBATCH --job-name=upsweep-scaling
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=<cores of a node, divided by 4>
#SBATCH --time=00:30:00
#SBATCH --exclusive
set -eu
module load <modules of CUDA or ROCm, Kokkos and MPI>
export OMP_NUM_THREADS=1
# Ranks fill one node after the other: up to 4 of them share a node.
launch="srun --distribution=block,Pack --ntasks={ranks} --cpus-per-task=$SLURM_CPUS_PER_TASK --gpu-bind=none"
python3 <folder of upsweep>/tools/scaling/measure.py --weak --out "scaling-$SLURM_JOB_ID" --ranks 1,2,4,8 \
  --cells 100,100,100 --steps 200 --launch "$launch" --program upsweep-nbody
