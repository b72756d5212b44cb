import { notInSample } from './sample.mjs'

/** Counts of one report of the tool, and its survivors as lines: place, what changed. Source: the mutation testing report schema. */
export function resultOf(report) {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants: own }]) => {
    const lines = source.split('\n')
    return own.map((mutant) => ({ ...mutant, file, was: textAt(lines, mutant.location) }))
  })
  const run = mutants.filter(({ status, statusReason }) => status !== 'Ignored' && statusReason !== notInSample)
  const of = (...statuses) => run.filter(({ status }) => statuses.includes(status))
  const lineOf = ({ file, location, mutatorName, was, replacement }) =>
    `${file}:${location.start.line} ${mutatorName}: ${short(was)} → ${short(replacement ?? '')}`
  return {
    places: mutants.filter(({ status }) => status !== 'Ignored').length,
    run: run.length,
    killed: of('Killed', 'Timeout', 'RuntimeError').length,
    survivors: of('Survived').map(lineOf),
    untested: of('NoCoverage').map(lineOf),
  }
}

/** The source text of a location; lines and columns begin with 1, the end is not in it. */
function textAt(lines, { start, end }) {
  const taken = lines.slice(start.line - 1, end.line)
  const last = taken.length - 1
  return taken
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join('\n')
}

function short(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
