import { setFlagsFromString } from 'node:v8'

/** Share by which the heap may outgrow what was in use after the last collection, in percent. */
const growthPercent = 25

/**
 * Lets the heap grow by a quarter of what is in use before the next collection. Where memory is plentiful V8 lets it grow up to fourfold,
 * so that a load holds gigabytes of garbage on a machine that needs them for the database. Other than `--max-old-space-size` it
 * ends nothing: a load that needs more has it.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
