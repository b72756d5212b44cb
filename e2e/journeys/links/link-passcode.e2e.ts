import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('guests enter the passcode of a link once, without scripts, and again when the office changes it', async ({
  page,
  browser,
}, info) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(await makeTour('Whales'), { hours: 6 })
  const label = `Locked ${departure.code}`
  const { path } = await api.call(createLink, {
    kind: 'departure_guest',
    subjectId: departure.id,
    label,
    language: 'en',
    passcode: '4711',
  })
  const withoutScripts = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const plain = await withoutScripts.newPage()
  await plain.goto(path)
  await plain.getByLabel('Passcode').fill('0000')
  await plain.getByRole('button', { name: 'Open the page' }).click()
  await expect(plain.getByRole('alert')).toHaveText('This passcode is wrong.')
  await plain.screenshot({ path: info.outputPath('passcode.png') })
  await withoutScripts.close()

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const guest = await context.newPage()
  await guest.goto(path)
  await expectAccessible(guest)
  await guest.getByLabel('Passcode').fill('4711')
  await guest.getByRole('button', { name: 'Open the page' }).click()
  await expect(guest.getByRole('heading', { level: 1, name: /Whales/ })).toBeAttached()
  await guest.reload()
  await expect(guest.getByRole('heading', { level: 1, name: /Whales/ })).toBeAttached()

  await page.goto(`/tools/shared-links?q=${departure.code}`)
  const row = page.getByRole('row').filter({ hasText: label })
  await expect(row).toContainText('Passcode')
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Access log' }).click()
  await expect(page.getByRole('dialog', { name: label })).toContainText('Wrong passcode')
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: 'Passcode' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passcode' })
  await dialog.getByLabel('New passcode').fill('Gullfoss')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('office.png') })
  await dialog.getByRole('button', { name: 'Save passcode' }).click()
  // the page that is open asks at once
  await expect(guest.getByLabel('Passcode')).toBeVisible({ timeout: 10_000 })
  await context.close()
})

test('several links are paused and resumed with an undo, and get new URLs at once', async ({ page }, info) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(await makeTour('Seals'), { hours: 6 })
  for (const name of ['A', 'B']) {
    const label = `${name} ${departure.code}`
    await api.call(createLink, { kind: 'departure_guest', subjectId: departure.id, label, language: 'en' })
  }
  await page.goto(`/tools/shared-links?q=${departure.code}`)
  await expectScreen(page, 'Shared links')
  const rows = page.getByRole('row').filter({ hasText: departure.code })
  const choose = async () => {
    for (const name of ['A', 'B']) {
      await page.getByRole('checkbox', { name: new RegExp(`${name} ${departure.code}`) }).check()
    }
  }
  await choose()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(rows.filter({ hasText: 'Paused' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows.filter({ hasText: 'Active' })).toHaveCount(2)
  await choose()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  const skipped = page.getByRole('dialog', { name: 'No link was changed' })
  await expect(skipped.getByText('is active already')).toHaveCount(2)
  await expectAccessible(page)
  await skipped.getByRole('button', { name: 'Close' }).click()
  await choose()
  await page.getByRole('button', { name: 'Replace URL' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace URL' }).click()
  const issued = page.getByRole('dialog', { name: '2 new URLs' })
  await expect(issued.getByLabel('New URLs, shown only once')).toHaveValue(/\/share\/[\w-]{43}\n.*\/share\//)
  await page.screenshot({ path: info.outputPath('urls.png') })
  await expectAccessible(page)
})
