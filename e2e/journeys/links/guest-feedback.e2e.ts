import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createLink } from '@tour-ops/contract/links/links'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiAs, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, giveLead, makeDeparture, makePlaces, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

/** A party of two whose tour is over, with a link that asks how it was. */
async function tourThatEnded(by = apiAs('admin')) {
  const api = await by
  const tour = await makeTour(`Glacier ${Math.random().toString(36).slice(2, 7)}`, api)
  const { id } = await makeDeparture(tour, {}, api)
  const booking = await book(id, ['Nora Lind', 'Max Lind'], {}, api)
  await giveLead(api, id)
  const { path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: `Lind ${tour.name}`,
    language: 'en',
    scopes: { feedback: true },
  })
  const move = async (to: 'boarding' | 'in_progress' | 'completed') => {
    const { version } = await api.call(getDeparture, { id })
    await api.call(setDepartureStatus, { id, version, to, reason: 'Journey' })
  }
  await move('boarding')
  const entries = booking.guests.flatMap(({ entryId }) =>
    entryId === null ? [] : [{ entryId, clientEventId: crypto.randomUUID() }],
  )
  await api.call(checkIn, { departureId: id, entries })
  await move('in_progress')
  await move('completed')
  const lead = (await api.call(getDeparture, { id })).crew[0]
  return { tourName: tour.name, booking, departureId: id, path, staffId: lead?.staffId ?? '' }
}

test('a guest says how it was on their link, by keyboard, and the office reads it with booking, departure and guide', async ({
  page,
  browser,
}, info) => {
  const { tourName, booking, departureId, path, staffId } = await tourThatEnded()
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  const asked = phone.getByRole('region', { name: 'How was it?' })
  const stars = asked.getByRole('group', { name: 'The tour' })
  await expect(stars).toBeVisible()
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('asked.png'), fullPage: true })
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(stars).toHaveAccessibleDescription('Choose from one to five stars.')
  await stars.getByRole('radio', { name: '1 star' }).focus()
  for (let count = 1; count < 4; count += 1) await phone.keyboard.press('ArrowRight')
  await expect(stars.getByRole('radio', { name: '4 stars' })).toBeChecked()
  await asked
    .getByRole('group', { name: /^Your guide Lead/ })
    .getByRole('radio', { name: '5 stars' })
    .check()
  await asked
    .getByRole('group', { name: /^Would you recommend/ })
    .getByRole('radio', { name: '9', exact: true })
    .check()
  await asked.getByLabel('What was good, what was not?').fill('The ice was blue.\n<b>Cold</b> hands, though.')
  await phone.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('answered-dark.png'), fullPage: true })
  await phone.emulateMedia({ colorScheme: 'light' })
  await phone.context().setOffline(true)
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked.getByRole('alert')).toBeVisible()
  await expect(asked.getByLabel('What was good, what was not?')).toHaveValue(/The ice was blue/)
  await phone.context().setOffline(false)
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked.getByRole('status')).toHaveText('Thank you. Aurora & Atlas reads this.')
  await expect(asked.getByRole('img', { name: '4 of 5 stars' })).toBeVisible()
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('said.png'), fullPage: true })
  await asked.getByRole('button', { name: 'Change what I said' }).click()
  await stars.getByRole('radio', { name: '5 stars' }).check()
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked.getByRole('img', { name: '5 of 5 stars' })).toBeVisible()
  await context.close()

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: /^Booking / })
  const said = drawer.getByRole('region', { name: 'What guests said' })
  await expect(said).toContainText('<b>Cold</b> hands, though.')
  await expect(said).toContainText('Recommends: 9 of 10')
  await expect(said.getByRole('img', { name: '5 of 5 stars' })).toBeVisible()
  await expectAccessible(page)
  await said.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('booking.png') })

  await page.goto(`/travelers/list?departure=${departureId}&tab=bookings`)
  const ofDeparture = page.getByRole('region', { name: 'What guests said' })
  await expect(ofDeparture).toContainText('5 of 5 from 1 party')
  await ofDeparture.getByRole('link', { name: 'Nora Lind' }).click()
  await expect(drawer).toBeVisible()

  await page.goto(`/travelers/details/${booking.guests[0]?.travelerId}`)
  const ofGuest = page.getByRole('region', { name: 'What guests said' })
  await expect(ofGuest).toContainText('The ice was blue.')
  await expect(ofGuest.getByRole('link', { name: tourName })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('traveler.png'), fullPage: true })

  await page.goto(`/field-staff/details/${staffId}?tab=feedback`)
  await expect(page.getByRole('region', { name: 'What guests said' })).toContainText('The ice was blue.')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('staff.png') })
})

test('of two phones of a party the second is told, keeps what was typed, and may say it all the same', async ({
  browser,
}) => {
  const { path } = await tourThatEnded()
  const open = async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      storageState: { cookies: [], origins: [] },
    })
    const phone = await context.newPage()
    await phone.goto(path)
    return { phone, context, asked: phone.getByRole('region', { name: 'How was it?' }) }
  }
  const first = await open()
  const second = await open()
  const comment = (one: typeof first) => one.asked.getByLabel('What was good, what was not?')
  await second.asked.getByRole('radio', { name: '2 stars' }).first().check()
  await comment(second).fill('It was too long.')
  await first.asked.getByRole('radio', { name: '5 stars' }).first().check()
  await first.asked.getByRole('button', { name: 'Send' }).click()
  await expect(first.asked.getByRole('status')).toHaveText(/Thank you/)
  // the page of the other phone has asked again by then
  await second.phone.waitForResponse((response) => response.url().endsWith('/api/share-get'))
  await expect(comment(second)).toHaveValue('It was too long.')
  await second.asked.getByRole('button', { name: 'Send' }).click()
  await expect(second.asked.getByRole('alert')).toBeVisible()
  await expect(comment(second)).toHaveValue('It was too long.')
  await second.asked.getByRole('button', { name: 'Send' }).click()
  await expect(second.asked.getByRole('img', { name: '2 of 5 stars' })).toBeVisible()
  await first.context.close()
  await second.context.close()
})

test.describe('in a new organization', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('the office follows up a poor rating from the overview: somebody takes it and closes it with a note', async ({
    page,
  }, info) => {
    // an organization of its own: what is on the overview of the demo longest of all fills its list
    await enterWithWallet(page)
    await createOrganization(page, 'Ice Walks')
    const api = await apiOfBrowser(page.context())
    await makePlaces(api)
    const { tourName, path } = await tourThatEnded(Promise.resolve(api))
    const token = path.split('/').at(-1) ?? ''
    const said = await fetch(new URL('/api/share-feedback', info.project.use.baseURL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { token, tourRating: 1, comment: 'We never saw the ice.' } }),
    })
    expect(said.status).toBe(200)
    await page.goto('/dashboard/overview')
    const item = page.getByRole('listitem').filter({ hasText: tourName }).filter({ hasText: 'Unhappy guests' })
    await expect(item).toContainText('Nora Lind: 1 of 5 stars')
    await expect(item).toContainText('We never saw the ice.')
    await page.screenshot({ path: info.outputPath('overview.png') })
    await item.getByRole('link', { name: /^Open: / }).click()
    const feedback = page.getByRole('dialog').getByRole('region', { name: 'What guests said' })
    await feedback.getByRole('button', { name: 'Follow up' }).click()
    await expect(feedback.getByText(/ is on it$/)).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(feedback.getByText('To follow up')).toBeVisible()
    await feedback.getByRole('button', { name: 'Close', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Close this follow-up?' })
    await question.getByLabel('What was done').fill('Called, voucher sent')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(feedback.getByText(/^Called, voucher sent \(/)).toBeVisible()
    await page.goto('/dashboard/overview')
    await expect(page.locator('main table tbody tr td').first()).toBeVisible()
    await expect(item).toHaveCount(0)

    await page.goto(`/reports/feedback?q=${encodeURIComponent(tourName)}&f.followUp=closed`)
    const row = page.getByRole('row').filter({ hasText: 'We never saw the ice.' })
    await expect(row).toContainText('Called, voucher sent')
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('list.png') })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/^feedback/)
    await row.getByRole('button', { name: 'Reopen' }).click()
    await expect(row).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/reports/feedback?q=${encodeURIComponent(tourName)}`)
    await expect(page.getByText('We never saw the ice.')).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('list-phone.png') })
  })
})
