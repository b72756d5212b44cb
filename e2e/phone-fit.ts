import type { Page } from '@playwright/test'
import { cutTexts } from './cut-texts.ts'
import { expect } from './fixtures.ts'

/** Least width and height of what a finger touches, CSS pixels. Source: issue 11, and WCAG 2.2, 2.5.5. */
const leastTarget = 44

/** The text of the browser as its person has set it, per cent; as long as the document stays. */
const setText = (page: Page, percent: number): Promise<void> =>
  page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent)

/** What is wider than what it scrolls in, the window included. */
const wideParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 &&
          (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)),
      )
      .map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
  )

/** What a finger touches and is smaller than it must be; a field counts with the label around it. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const dialog = document.querySelector('dialog[open]')
    const found = (dialog ?? document.body).querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')
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
  }, leastTarget)

/**
 * The screen is no wider than the window, cuts no text, and everything on it is large enough for a finger: as it is, and with text of 200 %.
 *
 * @param name Of the screen, for what is said when it does not.
 */
export async function expectFitsPhone(page: Page, name: string): Promise<void> {
  // every text must be whole here, not only times and amounts
  await page.evaluate(() => void (document.body.dataset['whole'] = ''))
  for (const percent of [100, 200]) {
    await setText(page, percent)
    expect
      .soft(
        { wide: await wideParts(page), cut: await cutTexts(page, 'body'), small: await smallTargets(page) },
        `${name}, text of ${percent} %`,
      )
      .toEqual({ wide: [], cut: [], small: [] })
  }
  await setText(page, 100)
}
