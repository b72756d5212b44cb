/** What was looked at, how it is, and what to do about it. */
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

/** What fails while it is looked at is a finding as well. */
export async function examine(
  subject: string,
  todo: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const words = error instanceof Error ? error.message || error.name : String(error)
    return [{ subject, state: 'problem', words: words.split('\n', 1)[0] ?? '', todo }]
  }
}
