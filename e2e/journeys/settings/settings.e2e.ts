import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import {
  expect,
  expectAccessible,
  expectScreen,
  goWithin,
  sessionFile,
  settled,
  takeAnswers,
  test,
} from '../../fixtures.ts'
import { layouts } from '../../routes.ts'

test('an invalid rule is reported at its field, one that can is saved, and leaving in between asks', async ({
  page,
  complaints,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Rule Walks')
  await page.goto('/settings/tour')
  const late = page.getByLabel(/^Late from/)
  const critical = page.getByLabel(/^Critical from/)
  const save = (changes: string) => page.getByRole('button', { name: `Save ${changes}` })
  await critical.fill('5')
  await save('1 change').click()
  await expect(page.getByText('Critical cannot come before late.')).toBeVisible()
  await expect(critical).toHaveAttribute('aria-invalid', 'true')
  await expect(critical).toHaveValue('5')
  takeAnswers(complaints, 400)

  await critical.fill('40')
  await late.fill('20')
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await expect(late).toHaveValue('20')
  await save('2 changes').click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Late from from 15 min to 20 min')
  await page.reload()
  await expect(late).toHaveValue('20')
  await expect(critical).toHaveValue('40')
})

test('a router that cannot be reached is reported at its address field, and what was typed stays', async ({
  page,
  complaints,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Road Walks')
  await page.goto('/settings/general#routing')
  const address = page.getByLabel(/^URL of the routing service/)
  await page.getByLabel(/^Source of travel times/).selectOption('osrm')
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('Enter the URL of the routing service.')).toBeVisible()
  takeAnswers(complaints, 400)
  await address.fill('http://10.0.0.7:5000/')
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('10.0.0.7:5000 is inside the network of this server.')).toBeVisible()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await expect(address).toHaveValue('http://10.0.0.7:5000/')
  takeAnswers(complaints, 400)
  await expectAccessible(page)
})

test('the first page says how everything is, finds a field and leads to it; sender, region and own notices stay', async ({
  page,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Found Walks')
  await page.goto('/settings')
  const card = (name: RegExp) => page.getByRole('main').getByRole('link', { name })
  await expect(card(/^Tour rules/)).toContainText('Late from 15 min, critical from 45')
  await expect(card(/^Notifications/)).toContainText('E-mails carry the name of the installation')

  await page.getByLabel('Find a setting').fill('sender')
  await page.getByRole('list', { name: 'Settings found' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/settings\/notifications#/)
  await page.getByLabel(/^Sender/).fill('Found Walks desk')
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  const byEmail = page.getByRole('checkbox', { name: 'Access request: E-mail' })
  const before = await byEmail.isChecked()
  // The message that the first change is saved may still be shown.
  const answered = page.waitForResponse(`**/api/${updateOwnPreferences.name}`)
  await byEmail.click()
  expect((await answered).ok()).toBe(true)
  await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel(/^Sender/)).toHaveValue('Found Walks desk')
  await expect(byEmail).toBeChecked({ checked: !before })

  await goWithin(page, '/settings/general')
  await page.getByLabel(/^Week starts on/).selectOption('0')
  const hours = page.getByLabel(/^Times of day/)
  await expect(hours.getByRole('option')).toHaveText([/^24 hours \(14:30\)$/, /^12 hours \(2:30\spm\)$/])
  await hours.selectOption('12h')
  // A time is typed, or chosen from the quarters of an hour.
  const opens = page.getByLabel(/^Office opens/)
  await opens.press('Alt+ArrowDown')
  const times = page.getByRole('listbox', { name: 'Choose a time' })
  await expect(times.getByRole('option', { name: '08:00' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(times).toHaveCount(0)
  await expect(opens).toHaveValue('06:45')
  await page.getByRole('button', { name: 'Save 3 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await page.reload()
  await expect(opens).toHaveValue(/^6:45\sam$/)
  await opens.fill('7:15 pm')
  await opens.press('Tab')
  await expect(opens).toHaveValue(/^7:15\spm$/)
  await expect(page.getByRole('banner')).toContainText(/\d:\d\d\s[ap]m/)
  await page.getByRole('button', { name: 'Discard' }).click()
  await goWithin(page, '/settings')
  await expect(card(/^General/)).toContainText('week starts Sun')
  await expect(card(/^Notifications/)).toContainText('E-mails come from Found Walks desk')
})

test.describe('somebody who may not change them', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('reads the rules and finds no button that saves', async ({ page }) => {
    await page.goto('/settings/tour')
    await expect(page.getByText('You can view these settings.')).toBeVisible()
    await expect(page.getByLabel(/^Late from/)).toBeDisabled()
    await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
  })

  test('puts the navigation into the bar and back to the side; the choice outlives a reload', async ({ page }) => {
    await page.goto('/travelers/list')
    await settled(page)
    const main = page.getByRole('navigation', { name: 'Main' })
    await expect(main.getByRole('link', { name: 'Travelers' })).toBeVisible()
    for (const path of ['/tools/monitoring', '/tools/full-monitoring-list']) {
      await goWithin(page, path)
      expect(await layouts(page), `${path} has the dashboard around it until somebody chooses otherwise`).toEqual([
        'dashboard',
      ])
    }
    await goWithin(page, '/travelers/list')
    await page.getByRole('button', { name: /^Account, / }).click()
    await page.getByRole('menuitem', { name: 'Navigation in the bar' }).click()
    await expect(page.getByRole('complementary').getByRole('link')).toHaveCount(0)
    await page.reload()
    await settled(page)
    expect(await layouts(page)).toEqual(['dashboard-old', 'dashboard-travelers'])
    await main.getByRole('button', { name: /Plan|Travelers/ }).click()
    await page.getByRole('menuitem', { name: 'Tours', exact: true }).click()
    await expect(page).toHaveURL(/\/tours\/all/)
    // A page that arrives takes the focus, and a menu closes that loses it.
    await expectScreen(page, 'Tours')
    await settled(page)
    await page.getByRole('button', { name: /^Account, / }).click()
    await page.getByRole('menuitem', { name: 'Navigation at the side' }).click()
    await expect(main.getByRole('link', { name: 'Tours', exact: true })).toBeVisible()
  })
})
