import { StartRefused } from '../start-refused.ts'

/** What was checked, how it is, and what to do about it. */
export interface Finding {
  readonly subject: string
  readonly state: 'good' | 'warning' | 'problem'
  readonly words: string
  /** Where something is to be done. */
  readonly todo?: string
}

const marks = { good: 'ok', warning: 'WARNING', problem: 'PROBLEM' } as const

/** One line for each, and below it what to do. */
export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ subject, state, words, todo }) => [
    `${marks[state].padEnd(8)} ${subject.padEnd(width)}  ${words}`,
    ...(todo ? [`${' '.repeat(width + 11)}→ ${todo}`] : []),
  ])
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length
  return [...lines, '', `${count('problem')} problem(s), ${count('warning')} warning(s).`].join('\n')
}

/**
 * An error during a check is a finding as well.
 *
 * @param todo For an error that does not say by itself what to do.
 */
export async function examine(
  subject: string,
  todo: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const text = error instanceof Error ? error.message || error.name : String(error)
    const [words = '', ...advice] = text.split('\n')
    return [
      { subject, state: 'problem', words, todo: error instanceof StartRefused && advice[0] ? inOneLine(advice) : todo },
    ]
  }
}

/** Advice as refused starts give it: one line each, with a dash. */
const inOneLine = (advice: readonly string[]): string => advice.map((line) => line.replace(/^- /, '')).join(' ')
