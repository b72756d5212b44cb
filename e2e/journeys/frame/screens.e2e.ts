import type { Page } from '@playwright/test'
import { brokenRules, expect, goWithin, sessionFile, settled, test } from '../../fixtures.ts'
import { screens } from '../../routes.ts'

test.use({ storageState: sessionFile('admin'), contextOptions: { reducedMotion: 'reduce' } })
test.describe.configure({ mode: 'parallel' })

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Pixels between the actions of the page's head, where it has some, and its end. */
const gapBesideActions = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const actions = document.querySelector('main header > [data-actions]')
    const head = actions?.parentElement
    if (!actions || !head) return 0
    const end = head.getBoundingClientRect().right - parseFloat(getComputedStyle(head).paddingInlineEnd)
    return Math.round(end - actions.getBoundingClientRect().right)
  })

/** One test per area, so that a failure says where; each screen is opened once and looked at in both sizes and both themes. */
const areas = [
  'dashboard',
  'discount-codes',
  'equipment',
  'field-staff',
  'reports',
  'settings',
  'tools',
  'tours',
  'travelers',
  'user-management',
]

for (const area of areas) {
  test(`every screen of ${area} is accessible, labelled and fits, large and small, light and dark`, async ({
    page,
  }) => {
    const own = (await screens()).filter(({ path }) => path.split('/')[1] === area)
    expect(own.length).toBeGreaterThan(0)
    await page.goto(own[0]?.path ?? '/')
    for (const { path } of own) {
      await test.step(path, async () => {
        await goWithin(page, path)
        await expect.soft(page.locator('[data-error-status]'), `${path} shows no error`).toHaveCount(0)
        for (const { width, height } of sizes) {
          await page.setViewportSize({ width, height })
          await settled(page)
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect.soft(overflow, `${path} fits ${width} px`).toBeLessThanOrEqual(0)
          expect.soft(await gapBesideActions(page), `actions of ${path} at ${width} px stand at the end`).toBe(0)
          expect.soft(await brokenRules(page), `${path} at ${width} px`).toEqual([])
          await page.emulateMedia({ colorScheme: 'dark' })
          // Words and structure are the same in the dark; only colors can differ.
          expect.soft(await brokenRules(page, ['color-contrast']), `${path} at ${width} px, dark`).toEqual([])
          await page.emulateMedia({ colorScheme: 'light' })
        }
      })
    }
  })
}
