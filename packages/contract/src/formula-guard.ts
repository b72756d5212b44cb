/** A cell of these characters only is a number or an international phone number, whatever sign it begins with. */
const plainNumber = /^[+-]?\d+([.,]\d+)?$/
/** What may come before a formula that a spreadsheet still runs: spaces, invisible characters, quotes. */
const ignoredStart = /^[\s\p{Cf}"']+/u

/**
 * Whether a spreadsheet may run the text: it begins with a sign of a formula, in any width (`＝` is `=` to some), or with a tab or
 * a line break, which end the cell before. Source: OWASP, "CSV Injection".
 */
function mayRun(text: string): boolean {
  if (plainNumber.test(text)) return false
  if (/^[\t\r\n]/.test(text)) return true
  return /^[=+\-@\u2212]/.test(text.replace(ignoredStart, '').slice(0, 1).normalize('NFKC'))
}

/** The text as a cell that no spreadsheet runs: one that it might has an apostrophe before it, which marks it as text. */
export const guarded = (text: string): string => (mayRun(text) ? `'${text}` : text)

/** A cell as it was before `guarded`. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && mayRun(cell.slice(1)) ? cell.slice(1) : cell
