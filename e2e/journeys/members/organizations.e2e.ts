import { createOrganization, enterWithWallet, newAddress, signIn } from '../../accounts.ts'
import { demoPassword, expect, expectAccessible, test } from '../../fixtures.ts'
import { onePixel } from '../../one-pixel.ts'

test('the organization used last comes first, Enter opens it', async ({ page }) => {
  await page.goto('/sign-in')
  await signIn(page, 'operations_manager@example.com', demoPassword)
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await page.goto('/organizations')
  const rows = page.getByRole('list').first().getByRole('button')
  await expect(rows.first()).toBeFocused()
  await expectAccessible(page)
  const first = (await rows.first().textContent()) ?? ''
  await page.keyboard.press('ArrowDown')
  const second = (await rows.nth(1).locator('b').textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /Switch organization/ })).toContainText(second)
  await page.goto('/organizations')
  await expect(rows.first()).toContainText(second)
  expect(first).not.toContain(second)
  await rows.nth(1).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
})

test('switching leaves nothing of the old organization on screen', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Pinecone Travel')
  await createOrganization(page, 'Fjord Days')
  const email = newAddress('only-fjord')
  await page.goto('/user-management/create')
  await page.getByLabel(/E-mail addresses/).fill(email)
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('button', { name: /^Invite/ }).click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toBeVisible()
  await page.getByRole('button', { name: /Switch organization/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /Pinecone Travel/ }).click()
  await expect(page.getByRole('button', { name: /Switch organization/ })).toContainText('Pinecone Travel')
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await expect(page.getByText('Fjord Days')).toHaveCount(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('row', { name: /0x/ })).toBeVisible()
  await expect(page.getByText(email)).toHaveCount(0)
})

test('the short name follows the name and says when it is taken', async ({ page, complaints }) => {
  await enterWithWallet(page)
  await page.goto('/create-organization')
  await expectAccessible(page)
  await page.getByLabel('Name of the organization').fill('Aurora & Atlas')
  await expect(page.getByLabel('Short name')).toHaveValue('aurora-atlas')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByText('Another organization has this short name.')).toBeVisible()
  await expect(page.getByLabel('Name of the organization')).toHaveValue('Aurora & Atlas')
  expect(complaints.splice(0).filter((line) => !line.includes('400'))).toEqual([])
})

test('the profile takes a name and a logo; the only administrator cannot leave', async ({ page, complaints }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Logo Tours')
  await page.getByRole('button', { name: /Switch organization/ }).click()
  await page.getByRole('menuitem', { name: 'Organization profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Organization profile' })
  await expectAccessible(page)
  await dialog.getByLabel('Upload logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel })
  await expect(page.getByText('The logo is saved')).toBeVisible()
  await expect(dialog.locator('img')).toHaveCount(1)
  await dialog
    .getByLabel('Upload logo')
    .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no') })
  await expect(dialog.getByText('This is not a PNG, JPEG or WebP picture.')).toBeVisible()
  await dialog.getByLabel('Name of the organization').fill('Logo & Sons')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: /Switch organization/, includeHidden: true })).toContainText(
    'Logo & Sons',
  )
  await dialog.getByRole('button', { name: 'Leave the organization' }).click()
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(dialog.getByText('You are the only administrator. Make someone else one first.')).toBeVisible()
  expect(complaints.splice(0).filter((line) => !line.includes('400'))).toEqual([])
})
