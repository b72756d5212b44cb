import { useLayoutEffect } from 'react'
import { m } from '../paraglide/messages.js'

/** A text as CSS writes it. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/**
 * "Page 1 of 3" in the lower corner of every printed page. Only the printer's own counters know the pages, and these can only be named in a
 * style sheet: it is made here, since its words are the reader's language.
 *
 * @param page Name of the `@page`.
 * @param text The sentence with line breaks for its numbers, where it is in another language.
 */
export function usePageNumbers(page: string, text: string = m.ui_page_of({ page: '\n', of: '\n' })): void {
  useLayoutEffect(() => {
    const [before, between, after] = text.split('\n')
    const sheet = new CSSStyleSheet()
    const words = [quoted(before ?? ''), 'counter(page)', quoted(between ?? ''), 'counter(pages)', quoted(after ?? '')]
    sheet.replaceSync(`@page ${page} { @bottom-right { content: ${words.join(' ')}; font-size: 9pt; color: #333; } }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [page, text])
}
