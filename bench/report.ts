import fs from 'node:fs'
import path from 'node:path'
import type { Machine } from './machine.ts'
import type { Measure } from './measurement.ts'

export interface Result {
  readonly bench: string
  readonly title: string
  readonly command: string
  /** ISO 8601. */
  readonly date: string
  readonly machine: Machine
  readonly loadBefore: number
  readonly loadAfter: number
  readonly tookSeconds: number
  readonly measures: readonly Measure[]
}

const resultsFile = path.join(import.meta.dirname, 'results.json')
const readmeFile = path.join(import.meta.dirname, 'README.md')

/** A number as people read it: three digits that mean something. */
function readable(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

const goalOf = ({ goal }: Measure): string => (goal ? `${goal.text}: ${goal.met ? 'met' : 'MISSED'}` : '')
const peerOf = ({ against, unit }: Measure): string =>
  against ? `${readable(against.value)} ${unit} (${against.name})` : ''
const ratioOf = ({ ratio }: Measure): string => (ratio === undefined ? '' : ratio.toFixed(2))

export function printResult(result: Result): void {
  console.log(
    `\n${result.title} (${result.bench}, ${result.tookSeconds} s, load ${result.loadBefore} before and ${result.loadAfter} after)`,
  )
  console.table(
    result.measures.map((measure) => ({
      measure: measure.name,
      value: `${readable(measure.value)} ${measure.unit}`,
      against: peerOf(measure),
      ratio: ratioOf(measure),
      goal: goalOf(measure),
      n: measure.samples,
    })),
  )
}

/** Puts a result in the place of the last one of its bench, in the file and in the table of the README. */
export function keepResult(result: Result): void {
  const kept = fs.existsSync(resultsFile) ? (JSON.parse(fs.readFileSync(resultsFile, 'utf8')) as Result[]) : []
  const results = [...kept.filter(({ bench }) => bench !== result.bench), result]
  fs.writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  writeTables(results)
}

const begin = '<!-- results -->'
const end = '<!-- /results -->'

function writeTables(results: readonly Result[]): void {
  const text = fs.readFileSync(readmeFile, 'utf8')
  const [before = ''] = text.split(begin)
  const after = text.split(end)[1] ?? ''
  fs.writeFileSync(readmeFile, `${before}${begin}\n\n${results.map(tableOf).join('\n')}\n${end}${after}`)
}

function tableOf({ title, command, date, machine, loadBefore, loadAfter, measures }: Result): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`)
  const rows = measures.map((measure) => {
    const { name, value, unit, samples, note } = measure
    const cells = [
      note ? `${name} (${note})` : name,
      `${readable(value)} ${unit}`,
      peerOf(measure),
      ratioOf(measure),
      goalOf(measure),
      samples,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    `### ${title}`,
    '',
    `\`${command}\`, ${date.slice(0, 16).replace('T', ' ')} UTC, ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, ` +
      `${versions.join(', ')}; load ${loadBefore} before, ${loadAfter} after.`,
    '',
    '| measure | value | against | ratio | goal | n |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
