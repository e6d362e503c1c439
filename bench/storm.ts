// A deployment of many machines on this one, whose parts are killed in turn while jobs and readers go on (docs/promises.en.md):
//   node dist/node/bench/storm.js [JOBS [MINUTES]]
// Three nodes of PostgreSQL under Patroni, a store, a Slurm of four nodes, two servers behind HAProxy. 1,000 jobs where none are named;
// with minutes, rounds of breaks are repeated for so long. Ends with status 1 when a promise was broken.
// The machines are network namespaces within one that this program starts itself in, where that can be had.
import { missingForStorm } from '../e2e/storm/many-machines.ts'
import { runStorm } from '../e2e/storm/storm.ts'
import { canHaveNetwork, isInOwnNetwork, runInOwnNetwork } from '../src/testing/peers/hosts.ts'

const missing = missingForStorm()
if (missing.length > 0) {
  console.error(`Packages are missing: ${missing.join(' ')}`)
  process.exit(2)
}
if (!isInOwnNetwork() && canHaveNetwork()) process.exit(await runInOwnNetwork())
const [jobs = 1_000, minutes = 0] = process.argv
  .slice(2)
  .map(Number)
  .filter((number) => !Number.isNaN(number))
const { broken, lines } = await runStorm({ jobs, minutes, say: (line) => console.log(line) })
console.log(`\n${lines.join('\n')}`)
for (const promise of broken) console.log(`BROKEN: ${promise}`)
process.exit(broken.length === 0 ? 0 : 1)
