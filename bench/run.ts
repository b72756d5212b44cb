import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import type { Scale } from './measurement.ts'
import { describeMachine, loadNow } from './machine.ts'
import { keepResult, printResult, type Result } from './report.ts'

/**
 * `npm run bench -- [name …] [--quick]`: measures one after the other, prints a table, keeps the results in results.json and README.md,
 * and ends the process.
 */
export async function runBenches(args: readonly string[]): Promise<never> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  })
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }

  const scale: Scale = values.quick ? 'quick' : 'full'
  const wanted = benches.filter(({ name, isOnlyByName }) =>
    positionals.length === 0 ? !isOnlyByName : positionals.includes(name),
  )
  let isMissed = false
  for (const bench of wanted) {
    const loadBefore = loadNow()
    const startedAt = performance.now()
    const measures = await bench.run(scale)
    const result: Result = {
      bench: bench.name,
      title: bench.title,
      command: `npm run bench -- ${bench.name}${values.quick ? ' --quick' : ''}`,
      date: new Date().toISOString(),
      machine: describeMachine(),
      loadBefore,
      loadAfter: loadNow(),
      tookSeconds: Math.round((performance.now() - startedAt) / 1000),
      measures,
    }
    printResult(result)
    // what was measured in a hurry is no result
    if (scale === 'full') keepResult(result)
    isMissed ||= measures.some(({ goal }) => goal && !goal.met)
  }
  if (isMissed) console.log('A goal was missed; bench/README.md says why, where the reason is known.')
  process.exit(0)
}
