/**
 * Notes where the keyboard is, and gives back what puts it there again. Where the screen was drawn again meanwhile, that is the element of the
 * same kind, name and address.
 */
export function rememberFocus(): () => void {
  const before = document.activeElement
  if (!(before instanceof HTMLElement) || before === document.body) return () => undefined
  const { tagName } = before
  const name = nameOf(before)
  const address = before.getAttribute('href')
  return () => {
    const twin = () =>
      [...document.querySelectorAll<HTMLElement>(tagName)].find(
        (one) => nameOf(one) === name && one.getAttribute('href') === address && one.checkVisibility(),
      )
    const target = before.isConnected ? before : name === '' ? undefined : twin()
    target?.focus({ preventScroll: true })
  }
}

const nameOf = (element: HTMLElement): string => (element.ariaLabel ?? element.textContent ?? '').trim()
