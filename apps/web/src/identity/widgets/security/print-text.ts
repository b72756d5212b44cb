/** Prints a heading and lines on a separate page, without the rest of the screen. */
export function printText(heading: string, lines: readonly string[]): void {
  const frame = document.createElement('iframe')
  frame.className = 'sr-only'
  frame.ariaHidden = 'true'
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page) return frame.remove()
  page.title = heading
  const list = page.createElement('pre')
  list.textContent = `${heading}\n\n${lines.join('\n')}`
  page.body.append(list)
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
