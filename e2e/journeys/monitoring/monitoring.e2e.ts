import fs from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeBoarding, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

const phone = { width: 390, height: 844 }

const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
}

/** Somebody else of the office, at another desk. */
async function colleague(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ storageState: sessionFile('operations_manager') })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

/** A tour of our own whose departure, five hours ahead, nobody leads: what the demo lacks depends on the hour. */
let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour(`Night watch ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 5 })
  const api = await apiAs('dispatcher')
  // Late by the clock alone, without a change.
  await expect
    .poll(
      async () => {
        const { alerts } = await api.call(monitoringBoard, {})
        return alerts.some((alert) => alert.kind === 'no_lead_guide' && alert.departure?.id === departure.id)
      },
      { timeout: 120_000, intervals: [2_000] },
    )
    .toBe(true)
})

const gap = (page: Page) =>
  page.locator('[data-alert]').filter({ hasText: tour.name }).filter({ hasText: 'No lead guide' })
const listed = (page: Page) => page.getByText(tour.name).first()
const listPath = (): string => `/tools/full-monitoring-list?q=${encodeURIComponent(tour.name)}`

test('an alert is acknowledged and returned, and a colleague sees both without a reload', async ({ page, browser }) => {
  await page.goto('/tools/monitoring')
  await expectScreen(page, 'Monitoring')
  await expect(gap(page)).toBeVisible()
  const other = await colleague(browser, '/tools/monitoring')
  // Other journeys leave departures without a guide as well: this is about the one.
  const fresh = (at: Page) => at.getByRole('region', { name: /^New/ }).locator(gap(at))
  const taken = (at: Page) => at.getByRole('region', { name: /^Acknowledged/ }).locator(gap(at))
  await gap(page)
    .getByRole('button', { name: /^No lead guide/ })
    .click()
  const panel = page.getByRole('dialog', { name: /^No lead guide/ })
  await expect(panel.getByText('Alert opened')).toBeVisible()
  await panel.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(taken(page)).toBeVisible()
  await expect(taken(other)).toBeVisible()
  await panel.getByRole('button', { name: 'Return to New' }).click()
  await expect(fresh(page)).toBeVisible()
  await expect(fresh(other)).toBeVisible()
  await other.context().close()
})

test('an alert is put aside until its departure reaches a stop, and is woken before', async ({ page }) => {
  await page.goto('/tools/monitoring')
  await gap(page)
    .getByRole('button', { name: /^No lead guide/ })
    .click()
  const panel = page.getByRole('dialog', { name: /^No lead guide/ })
  await panel.getByRole('button', { name: 'Snooze' }).click()
  const snooze = page.getByRole('dialog', { name: 'Snooze this alert' })
  const stop = snooze.getByRole('radio', { name: /^Until / }).first()
  await stop.check()
  await expectAccessible(page)
  await snooze.getByRole('button', { name: 'Snooze', exact: true }).click()
  const sleeping = page.getByRole('region', { name: /^Snoozed/ }).locator(gap(page))
  await expect(sleeping.getByText('until')).toBeVisible()
  await panel.getByRole('button', { name: 'End snooze' }).click()
  await expect(page.getByRole('region', { name: /^New/ }).locator(gap(page))).toBeVisible()
})

test('a shift leaves a note over the board, a colleague confirms it, and muting lasts', async ({ page, browser }) => {
  const text = `Coach is in the workshop ${Math.random().toString(36).slice(2, 7)}`
  await page.goto('/tools/monitoring')
  await page.getByRole('button', { name: 'Hand over shift' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over shift' })
  await expect(dialog.getByText('Enter the note first.')).toBeVisible()
  await dialog.getByRole('textbox').fill(text)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Leave note' }).click()
  await expect(page.getByText(text)).toBeVisible()
  const other = await colleague(browser, '/tools/monitoring')
  await expect(other.getByText(text)).toBeVisible()
  await other.getByRole('button', { name: 'Mark as read' }).click()
  await expect(page.getByText(/ read the note of the previous shift at /)).toBeVisible()
  await expect(page.getByText(text)).toBeHidden()
  await other.context().close()

  await page.getByRole('button', { name: 'Mute critical alerts' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Unmute critical alerts' })).toBeVisible()
})

/** J chooses an alert, S and R ask, Escape and a press outside leave the dialog open, Escape closes the alert. */
async function workByKeyboard(page: Page, panel: Locator): Promise<void> {
  await page.keyboard.press('j')
  await expect(panel).toBeVisible()
  const shown = await panel.getAttribute('aria-label')
  await page.keyboard.press('j')
  await expect(panel).not.toHaveAttribute('aria-label', shown ?? '')
  await page.keyboard.press('k')
  await expect(panel).toHaveAttribute('aria-label', shown ?? '')
  await page.keyboard.press('s')
  const snooze = page.getByRole('dialog', { name: 'Snooze this alert' })
  await expect(snooze).toBeVisible()
  await expectAccessible(page)
  await snooze.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('r')
  const resolve = page.getByRole('dialog', { name: 'Resolve this alert' })
  await expect(resolve.getByText('Enter how it ended.')).toBeVisible()
  await resolve.getByRole('textbox').fill('A guide was found')
  await page.keyboard.press('Escape')
  await page.mouse.click(20, 880)
  await expect(resolve.getByRole('textbox'), 'what was typed stays').toHaveValue('A guide was found')
  await resolve.getByRole('button', { name: 'Cancel' }).click()
  await expect(resolve).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
}

test('the board is worked by keyboard, with the navigation at the side and in the bar', async ({ page }) => {
  await page.goto('/tools/monitoring')
  await expect(gap(page)).toBeVisible()
  await workByKeyboard(page, page.locator('.drawer'))
  await page.getByRole('button', { name: /^Account, / }).click()
  await page.getByRole('menuitem', { name: 'Navigation in the bar' }).click()
  await expect(gap(page)).toBeVisible()
  await workByKeyboard(page, page.locator('.alert-panel'))
})

test('when the last check is too old the page says so, and never "All clear"', async ({ page }) => {
  await page.route('**/api/monitoring-board', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { result: { now: string; evaluatedAt: string; alerts: unknown[] } }
    body.result.alerts = []
    body.result.evaluatedAt = new Date(Date.parse(body.result.now) - 5 * 60_000).toISOString()
    await route.fulfill({ json: body })
  })
  await page.goto('/tools/monitoring')
  await expect(page.getByRole('alert')).toContainText('Monitoring is delayed.')
  await expect(page.getByText(/All clear/)).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Watch departures' }).click()
  await expectScreen(page, 'Monitoring list')
})

/** Neither Escape, nor the close button, nor going back takes away what is typed in a drawer: each is asked about. */
async function expectQuestionBeforeLoss(page: Page, room: Locator, line: Locator): Promise<void> {
  const typed = await line.inputValue()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const leaveBy = [
    () => line.press('Escape'),
    () => room.getByRole('button', { name: 'Close', exact: true }).click(),
    () => page.goBack(),
    async () => {
      await page.goBack()
      // pressed before the question has the keyboard
      await page.keyboard.press('Escape')
    },
  ]
  for (const leave of leaveBy) {
    await leave()
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toBeHidden()
    await expect(line).toHaveValue(typed)
    await expect(page).toHaveURL(/[?&]incident=/)
  }
}

test('a report that somebody writes while the board still loads keeps what is typed when it comes', async ({
  page,
}) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/monitoring-board', async (route) => {
    await held
    await route.fallback()
  })
  await page.goto('/tools/monitoring')
  await page.getByRole('button', { name: 'Report incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report an incident' })
  await dialog.getByLabel('What happened').fill('A suitcase is open')
  release()
  await expect(page.getByText('Running now').first()).toBeVisible()
  await expect(dialog.getByLabel('What happened')).toHaveValue('A suitcase is open')
})

test('an incident is reported, gets a number and a log, and moves only to its next state', async ({ page }) => {
  const title = `Lost backpack ${Date.now()}`
  await page.goto('/tools/monitoring')
  await page.getByRole('button', { name: 'Report incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report an incident' })
  await dialog.getByLabel('What happened').fill(title)
  await dialog.getByLabel('Category').selectOption('lost_item')
  await dialog.getByText('4 Minor').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  const room = page.getByRole('dialog', { name: title })
  await expect(room.getByText(/INC-\d{4}-\d{4}/).first()).toBeVisible()
  const line = room.getByLabel('What happened? Who did what?')
  await line.fill('Driver looks under the seats')
  await expectQuestionBeforeLoss(page, room, line)
  await room.getByRole('button', { name: 'Add to log' }).click()
  await expect(room.getByRole('list', { name: 'Log' })).toContainText('Driver looks under the seats')
  // The stream may bring the entry before the answer that empties the field has come; Escape would ask about the text until then.
  await expect(line).toHaveValue('')
  // With nothing typed, Escape closes it; what was typed is gone only where somebody says so.
  await page.keyboard.press('Escape')
  await expect(room).toBeHidden()
  await page.goBack()
  await line.fill('Nobody needs this')
  await line.press('Escape')
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(room).toBeHidden()
  await page.goBack()
  await expect(line).toHaveValue('')
  await room.getByRole('button', { name: /Reported/ }).click()
  const next = page.getByRole('menuitem')
  await expect(next).toHaveCount(1)
  await next.click()
  await expect(room.getByRole('button', { name: /Triaged/ })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/tools/monitoring?show=incidents')
  await expect(page.getByText(title).first()).toBeVisible()
  await expectAccessible(page)
  // a view of the incidents is another thing than the choice between alerts and incidents
  await page.getByRole('tab', { name: /^Open/ }).click()
  await expect(page).toHaveURL(/show=incidents&.*view=open/)
  await expect(page.getByText(title).first()).toBeVisible()
})

test('the list follows the day, filters by state, pauses on request and exports what it shows', async ({ page }) => {
  await page.goto(listPath())
  await expectScreen(page, 'Monitoring list')
  await expect(listed(page)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: /^Not ready/ }).click()
  await expect(page).toHaveURL(/not_ready/)
  await expect(page.getByText('No lead guide').first()).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /Export/ }).click()
  const csv = await fs.readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toContain('tour,local_date')
  expect(csv).not.toContain('Golden Circle')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText(/the rows do not change/)).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await listed(page).click()
  await expect(page.getByRole('dialog', { name: new RegExp(tour.name) })).toBeVisible()
})

test('a stop that the office marks is on the list at once, with who says so and how long ago', async ({ page }) => {
  const own = await makeTour(`Night walk ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeBoarding(own)
  await page.goto(`/tools/full-monitoring-list?q=${encodeURIComponent(own.name)}`)
  const row = page.getByRole('row').filter({ hasText: own.name })
  await expect(row.getByText('1/4')).toBeVisible()
  await expect(row.getByText('Plan', { exact: true })).toBeAttached()
  const [pickup] = departure.stops
  if (!pickup) throw new Error('The tour has no stops.')
  const office = await apiAs('dispatcher')
  await office.call(markStop, { id: pickup.id, version: pickup.version, to: 'arrived' })
  await expect(row.getByText('now', { exact: true })).toBeVisible()
  await expect(row.getByText('Office', { exact: true })).toBeAttached()
  await expect(row.getByText(/^\d+ s$/)).toBeVisible()
})

test('on a phone the board, an alert and the list fit', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/tools/monitoring')
  await expect(gap(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await gap(page)
    .getByRole('button', { name: /^No lead guide/ })
    .click()
  await expect(page.getByRole('dialog', { name: /^No lead guide/ })).toBeVisible()
  await expectAccessible(page)
  await page.goto(listPath())
  await expect(listed(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test.describe('as a viewer', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('alerts are seen and cannot be taken', async ({ page }) => {
    await page.goto('/tools/monitoring')
    await expect(gap(page)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Acknowledge/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Report incident' })).toHaveCount(0)
  })
})

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' })

  test('board and list keep their contrast', async ({ page }) => {
    await page.goto('/tools/monitoring')
    await expect(gap(page)).toBeVisible()
    await expectAccessible(page)
    await page.goto(listPath())
    await expect(listed(page)).toBeVisible()
    await expectAccessible(page)
  })
})
