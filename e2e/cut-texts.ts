import type { Page } from '@playwright/test'

/** Amounts and times of which a part is hidden, and names that say they are whole: by an ellipsis, or by the edge of what clips them. */
export const cutTexts = (page: Page, root = 'main'): Promise<string[]> =>
  page.evaluate((selector) => {
    // Currency codes are separated from their amount; a code that is not is a tour code.
    const pattern =
      /\d{1,2}:\d{2}|(?:[€$£]|US\$|\b[A-Z]{3}\s)\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€$£]|US\$)|\d[\d.,]*\s[A-Z]{3}\b/g
    const cut: string[] = []
    const walker = document.createTreeWalker(document.querySelector(selector) ?? document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // places next to a time, which must not be cut
      const isWhole = node.parentElement?.closest('[data-whole]') !== null
      for (const match of (node.textContent ?? '').matchAll(isWhole ? /.+/g : pattern)) {
        const range = document.createRange()
        range.setStart(node, match.index)
        range.setEnd(node, match.index + match[0].length)
        const { right, width } = range.getBoundingClientRect()
        if (width === 0) continue
        for (let at = node.parentElement; at; at = at.parentElement) {
          const { overflowX, position } = getComputedStyle(at)
          // what is only for screen readers is cut on purpose, what scrolls can be reached
          if (position === 'absolute' || overflowX === 'auto' || overflowX === 'scroll') break
          if (overflowX === 'visible' || right <= at.getBoundingClientRect().right + 1) continue
          cut.push(`${match[0]} in "${at.textContent?.slice(0, 60)}"`)
          break
        }
      }
    }
    return cut
  }, root)
