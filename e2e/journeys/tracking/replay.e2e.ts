import { beginDuty } from '@tour-ops/contract/tracking/duty'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, test } from '../../fixtures.ts'
import { guideWithPhone } from '../../walk.ts'

/** How long the track is silent, and how long it is in all, seconds. */
const [silent, whole] = [180, 200]
/** Plays for so long, ms. */
const playedMs = 3_000

test('a replay goes as many times faster as it says, and a gap is counted and has no values', async ({
  page,
  context,
  request,
}) => {
  test.setTimeout(480_000)
  await enterWithWallet(page)
  await createOrganization(page, 'Replayed Walks')
  const office = await apiOfBrowser(context)
  const { staffId, url } = await guideWithPhone(office, 'Nils')
  // the page shows one day
  const isNearMidnight = () =>
    page.evaluate((ms) => new Date(Date.now() + ms).getDate() !== new Date().getDate(), 300_000)
  await expect.poll(isNearMidnight, { timeout: 310_000, intervals: [5_000] }).toBe(false)
  await office.call(beginDuty, {})
  // a phone whose clock is a little fast: what is older than the duty is not taken
  const start = Date.now() + 1000
  for (const second of [0, 5, 10, 10 + silent, 195, whole]) {
    const sent = await request.get(
      `${url}?lat=${64.1 + second * 0.0001}&lon=-21.9&speed=20&timestamp=${start + second * 1000}`,
    )
    expect(sent.status()).toBe(200)
  }

  await page.goto(`/field-staff/tracking?tracks=staff.${staffId}`)
  const pane = page.getByRole('region', { name: 'Tracks', exact: true })
  const slider = pane.getByRole('slider', { name: 'Time of the replay' })
  await expect(pane.getByRole('list', { name: 'Tracks' }).getByRole('listitem')).toContainText(/1 gap.*3 min/)

  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const at = async (): Promise<number> => Number(await slider.inputValue())
  for (const speed of [1, 2, 5, 10, 30, 60]) {
    await pane.getByRole('combobox', { name: 'Replay speed' }).selectOption(String(speed))
    await slider.focus()
    await page.keyboard.press('Home')
    const from = await at()
    await pane.getByRole('button', { name: 'Play (Space)' }).click()
    await page.clock.runFor(playedMs)
    await pane.getByRole('button', { name: 'Pause (Space)' }).click()
    const seconds = ((await at()) - from) / 1000
    // a frame is 16 ms, and the slider has whole seconds
    expect(Math.abs(seconds - (speed * playedMs) / 1000), `${speed}×`).toBeLessThanOrEqual(1 + speed * 0.1)
  }
  const nils = pane.getByRole('listitem').filter({ hasText: 'Nils' })
  await expect(nils).toContainText('No signal')
  await slider.focus()
  await page.keyboard.press('End')
  await expect(nils).toContainText('37 km/h')
})
