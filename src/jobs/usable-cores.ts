import { availableParallelism } from 'node:os'

/** Processors that a program may use, at most `max`: those that a scheduler granted to this process, or all of the machine. */
export const usableCores = (max = Number.POSITIVE_INFINITY): number => {
  // Slurm need not bind a task to its processors, but says how many they are (man sbatch, OUTPUT ENVIRONMENT VARIABLES).
  const granted = Number(process.env.SLURM_CPUS_PER_TASK)
  return Math.min(max, Number.isInteger(granted) && granted > 0 ? granted : availableParallelism())
}
