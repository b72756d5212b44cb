import type { Page } from '@playwright/test'
import { cutTexts } from './cut-texts.ts'
import { expect } from './fixtures.ts'

/** Least width and height of what a finger touches, CSS pixels. Source: issue 11, and WCAG 2.2, 2.5.5. */
const leastTarget = 44

/** The text of the browser as its person has set it, per cent; as long as the document stays. */
const setText = (page: Page, percent: number): Promise<void> =>
  page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent)

/** What is wider than what it scrolls in, the window included. */
const wideParts = (page: Page, within: string): Promise<string[]> =>
  page.evaluate(
    (root) =>
      [...(root === 'body' ? [document.documentElement] : []), ...document.querySelectorAll(`${root}, ${root} *`)]
        .filter(
          (element) =>
            element.scrollWidth > element.clientWidth + 1 &&
            (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)),
        )
        .map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
    within,
  )

/** What a finger touches and is smaller than it must be; a field counts with the label around it. */
const smallTargets = (page: Page, within: string): Promise<string[]> =>
  page.evaluate(
    ([least, root]) => {
      const part = document.querySelector('dialog[open]') ?? document.querySelector(root)
      const found = (part ?? document.body).querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')
      return [...found]
        .map((target) => target.closest('label') ?? target)
        .filter((target) => {
          const { width, height } = target.getBoundingClientRect()
          return width > 0 && (width < least - 0.5 || height < least - 0.5)
        })
        .map((target) => {
          const { width, height } = target.getBoundingClientRect()
          return `${target.getAttribute('aria-label') ?? target.textContent?.slice(0, 40)}: ${width.toFixed(1)} × ${height.toFixed(1)}`
        })
    },
    [leastTarget, within] as const,
  )

/**
 * The screen is no wider than the window, cuts no text, and everything on it is large enough for a finger: as it is, and with text of 200 %.
 *
 * @param name Of the screen, for what is said when it does not.
 * @param within Selector of the part that is looked at, a dialog over a screen that has a check of its own.
 */
export async function expectFitsPhone(page: Page, name: string, within = 'body'): Promise<void> {
  // every text must be whole here, not only times and amounts
  await page.evaluate(() => void (document.body.dataset['whole'] = ''))
  for (const percent of [100, 200]) {
    await setText(page, percent)
    expect
      .soft(
        {
          wide: await wideParts(page, within),
          cut: await cutTexts(page, within),
          small: await smallTargets(page, within),
        },
        `${name}, text of ${percent} %`,
      )
      .toEqual({ wide: [], cut: [], small: [] })
  }
  await setText(page, 100)
}
