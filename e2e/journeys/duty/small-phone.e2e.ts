import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment, offerAssignment } from '@tour-ops/contract/field-staff/assignments'
import { apiAs } from '../../api.ts'
import { endCutOff, takeCutOffs } from '../../duty-steps.ts'
import { brokenRules, expect, expectAccessible, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'
import { expectFitsPhone } from '../../phone-fit.ts'
import { openByLink } from './phone-by-link.ts'

// The guide's phone where it is hardest to use: 360 px wide, with text of 200 %, and in bright sun.

test.use({ viewport: { width: 360, height: 640 } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Vatnajökull glacier and ice cave expedition')
})

test('with a run sheet link every screen fits 360 px and text of 200 %, and is made for fingers', async ({
  page,
  context,
  complaints,
}) => {
  const { api, departure } = await openByLink(page, tour, [
    ['Bartholomew Wolfeschlegelstein', 'Mia Wolfeschlegelstein'],
  ])
  const booking = await book(departure.id, ['Sofía Herrera'])
  await page.reload()
  await expect(page.getByRole('button', { name: /Sofía Herrera/ })).toBeVisible()
  await page.getByRole('button', { name: 'Check in Bartholomew Wolfeschlegelstein' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await expectFitsPhone(page, 'check-in')
  await page.getByRole('link', { name: 'Details of Mia Wolfeschlegelstein' }).click()
  await expectFitsPhone(page, 'a guest')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Scan ticket' }).click()
  await expect(page.getByRole('heading', { name: 'Scan ticket' })).toBeVisible()
  await page.getByRole('button', { name: 'Enter the code instead' }).click()
  await page.getByRole('textbox', { name: 'Booking reference or name' }).fill('Wolfe')
  await expectFitsPhone(page, 'the code typed')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expectFitsPhone(page, 'a ticket')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await expectFitsPhone(page, 'run sheet')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expectFitsPhone(page, 'menu of the run sheet')
  await page.getByRole('link', { name: /^Count heads at/ }).click()
  await page.getByRole('button', { name: 'One less' }).click()
  await page.getByRole('radio', { name: /^Other/ }).check()
  await expectFitsPhone(page, 'head count')
  await page.getByRole('button', { name: 'Check off names' }).click()
  await expectFitsPhone(page, 'names of a head count')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Report incident' }).click()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expectFitsPhone(page, 'incident')
  await page.getByRole('link', { name: 'Back' }).click()

  await context.setOffline(true)
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await page.getByRole('button', { name: 'Check in Sofía Herrera' }).click()
  await expect(page.getByText('No signal since')).toBeVisible()
  await expectFitsPhone(page, 'check-in without a signal')
  await page.getByRole('link', { name: 'What is not checked offline' }).click()
  await expectFitsPhone(page, 'what is not checked offline')
  await api.call(cancelBooking, { id: booking.id, version: booking.version, reason: 'guest_request', note: null })
  await endCutOff(page)
  await page.getByRole('link', { name: 'View' }).click()
  await expect(page.getByText('Office: cancelled')).toBeVisible()
  await expectFitsPhone(page, 'what the office did not accept')
  takeCutOffs(complaints)
})

test('a guide with an account: My day and a tour that is led fit as well; the sunlight theme stays, and has the contrast it is for', async ({
  page,
  browser,
}) => {
  const { staffId } = await becomeGuide(page, browser)
  const api = await apiAs('admin')
  const led = await makeDeparture(tour, { hours: 0.05 })
  const offered = await makeDeparture(tour, { hours: 20 })
  await book(led.id, ['Emma Perry', 'Noah Perry'])
  await api.call(createAssignment, { departureId: led.id, staffId, role: 'lead_guide', overrideReason: 'Journey' })
  const respondBy = new Date(Date.now() + 3_600_000).toISOString()
  await api.call(offerAssignment, { departureId: offered.id, staffIds: [staffId], role: 'guide', respondBy })
  await page.goto('/duty')
  await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible()
  await expectFitsPhone(page, 'My day')
  await page.getByRole('button', { name: 'Begin duty' }).click()
  await expectFitsPhone(page, 'consent')
  await page.getByRole('button', { name: 'Begin without position' }).click()
  await expect(page.getByRole('button', { name: 'End duty' })).toBeVisible()
  await expectFitsPhone(page, 'My day on duty')

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('checkbox', { name: /^Sunlight/ }).check()
  await expectFitsPhone(page, 'account')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Open run sheet' })).toBeVisible()
  const background = page.locator('.duty')
  await expect(background).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(background).toHaveCSS('color', 'rgb(0, 0, 0)')
  const expectReadableInSun = async () => {
    expect(await brokenRules(page, ['color-contrast-enhanced'])).toEqual([])
    await expectAccessible(page)
  }
  await expectReadableInSun()
  await page.getByRole('link', { name: 'Open run sheet' }).click()
  await page.getByRole('button', { name: 'Open boarding' }).click()
  await expectFitsPhone(page, 'a step asked for')
  await page.getByRole('dialog').getByRole('button', { name: 'Open boarding' }).click()
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await page.getByRole('button', { name: 'Check in all 2' }).click()
  await expectFitsPhone(page, 'check-in in sunlight')
  await expectReadableInSun()
  await expect.poll(async () => (await api.call(getDeparture, { id: led.id })).status).toBe('boarding')
  const { version } = await api.call(getDeparture, { id: led.id })
  await api.call(setDepartureStatus, { id: led.id, version, to: 'in_progress', reason: 'Journey' })
  await page.goto(`/duty/tours/${led.id}`)
  // what the phone has stored is shown first, and is from before the start
  await expect(page.getByRole('button', { name: 'Complete tour' })).toBeVisible()
  await page.getByRole('button', { name: 'Arrived' }).click()
  await expect(page.getByRole('link', { name: 'Count and depart' })).toBeVisible()
  await expectFitsPhone(page, 'run sheet under way')
  await expectReadableInSun()
  await page.getByRole('link', { name: 'Count and depart' }).click()
  await page.getByRole('button', { name: 'One less' }).click()
  await expectReadableInSun()
})
