import { createOrganization, enterWithWallet, newAddress, signUpThroughEmail } from '../../accounts.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'

test('invite, e-mail, accept; a demotion counts on the next call; the last administrator stays', async ({
  page,
  browser,
  complaints,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Meridian Walks')
  const email = newAddress('ana')

  await page.goto('/user-management/create')
  await expectAccessible(page)
  await page.getByLabel(/E-mail addresses/).fill(`Ana Ruiz <${email}>, no address`)
  await expect(page.getByText('2 addresses')).toBeVisible()
  await page.getByRole('radio', { name: /^Admin/ }).check()
  await page.getByLabel('Message (optional)').fill('Welcome aboard!')
  await page.getByRole('button', { name: /Invite 2 people/ }).click()
  await expect(page.getByText('One address was not invited')).toBeVisible()
  await expect(page.getByText('no address: does not look like an e-mail address')).toBeVisible()
  await expect(page.getByLabel(/E-mail addresses/)).toHaveValue('no address')
  await expectAccessible(page)

  await page.goto('/user-management/list')
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText('Invited')
  await page.goto(`/tools/notifications?q=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: 'invited you to join Meridian Walks' }).click()
  const opened = page.getByRole('dialog')
  await expect(opened).toContainText('Welcome aboard!')
  const link = (await opened.getByRole('link').getAttribute('href')) ?? ''

  const demoAdmin = await browser.newContext({ storageState: sessionFile('admin') })
  const anaContext = await browser.newContext()
  const ana = await anaContext.newPage()
  await ana.goto(link)
  await expect(ana.getByRole('heading', { name: 'You are invited' })).toBeVisible()
  await signUpThroughEmail(ana, await demoAdmin.newPage(), email, 'Ana Ruiz')
  // A person who confirmed an address finds its invitations where the organizations are.
  await expect(ana.getByRole('heading', { name: 'Invitations' })).toBeVisible()
  await ana.goto(link)
  await expect(ana.getByRole('heading', { name: /Work with Meridian Walks/ })).toBeVisible()
  await expectAccessible(ana)
  await ana.getByRole('button', { name: 'Accept' }).click()
  await expect(ana.getByRole('button', { name: /Switch organization/ })).toContainText('Meridian Walks')

  await page.goto('/user-management/list')
  const row = page.getByRole('row', { name: /Ana Ruiz/ })
  await row.click()
  const panel = page.getByRole('complementary', { name: 'Ana Ruiz' })
  await expect(panel.getByText('Yes', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Change role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the role of Ana Ruiz' })
  await dialog.getByRole('radio', { name: /^Guide/ }).check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Ana Ruiz is now Guide')).toBeVisible()
  await expect(panel.getByText('It depends').or(panel.getByText('No', { exact: true }))).toBeVisible()

  await ana.goto('/user-management/list')
  await expect(ana.locator('[data-missing-permission="members:read"]')).toBeVisible()

  await row.getByRole('button', { name: /Actions for Ana Ruiz/ }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(row).toContainText('Suspended')
  await ana.goto('/dashboard/overview')
  await expect(ana.getByText('Suspended', { exact: true })).toBeVisible()
  await expect(ana.getByText('1 member')).toHaveCount(0)

  await row.getByRole('button', { name: /Actions for Ana Ruiz/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Ana Ruiz is no longer a member')).toBeVisible()
  await expect(row).toHaveCount(0)

  await page.getByRole('button', { name: /Actions for 0x/ }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByRole('alert')).toContainText('The organization needs at least one active administrator.')
  expect(complaints.splice(0).filter((line) => !line.includes('409'))).toEqual([])
  await demoAdmin.close()
  await anaContext.close()
})

test('an invitation is sent again and revoked; its link then stops working', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Pine & Peak')
  const email = newAddress('omar')
  await page.goto('/user-management/create')
  await page.getByLabel(/E-mail addresses/).fill(email)
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('button', { name: /^Invite/ }).click()
  await expect(page).toHaveURL(/\/user-management\/list$/)
  const actions = page.getByRole('button', { name: `Actions for ${email}` })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(`Sent to ${email} again`)).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toHaveCount(0)
})

test.describe('the table of users', () => {
  test.use({ storageState: sessionFile('admin') })

  test('filters by view, exports exactly the filtered rows, and explains access near a tour', async ({ page }) => {
    await page.goto('/user-management/list')
    await expect(page.getByRole('row', { name: /Tomás Ferreira/ })).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/^members.*\.csv$/)
    await page.getByRole('row', { name: /Tomás Ferreira/ }).click()
    const panel = page.getByRole('complementary', { name: 'Tomás Ferreira' })
    await expect(panel.getByRole('heading', { name: 'Why can Tomás see this?' })).toBeVisible()
    await expect(panel.getByText('It depends', { exact: true })).toBeVisible()
    await panel.getByRole('combobox', { name: 'On which departure' }).click()
    await page.getByRole('listbox').getByRole('option').first().click()
    await expect(panel.getByText('Yes, for now')).toBeVisible()
    await panel.getByLabel('What', { exact: true }).selectOption('audit:read')
    await expect(panel.locator('[data-answer="no"]')).toContainText('The role does not include this')
  })

  test('the menu of a row ends where the heading of its column ends', async ({ page }) => {
    await page.goto('/user-management/list')
    const menu = page.getByRole('button', { name: /Tomás Ferreira$/ })
    const heading = page.getByRole('columnheader', { name: 'Actions' })
    const ends = await Promise.all([
      menu.evaluate((button) => button.getBoundingClientRect().right),
      heading.evaluate((cell) => cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight)),
    ])
    expect(ends[0]).toBeCloseTo(ends[1], 0)
  })

  test('the search of the settings finds the rule about second factors and leads to it', async ({ page }) => {
    await page.goto('/settings?q=second%20factor')
    await page.getByRole('link', { name: /^Second factor required for/ }).click()
    await expect(page).toHaveURL(/\/settings\/general#second-factor$/)
    await expect(page.getByRole('region', { name: 'Second factor' })).toBeInViewport()
  })

  test('a view with a column that is gone opens with the rest, and says so', async ({ page }) => {
    await page.goto('/user-management/list?sort=-lastSignInAt,name')
    await expect(page.getByRole('status').filter({ hasText: 'This list no longer has: lastSignInAt.' })).toBeVisible()
    await expect(page.getByRole('row', { name: /Tomás Ferreira/ })).toBeVisible()
    await page.goto('/user-management/list?sort=-lastSeenAt')
    await expect(page.getByRole('row', { name: /Tomás Ferreira/ })).toBeVisible()
    await expect(page.getByText('This list no longer has')).toHaveCount(0)
  })
})

test.describe('somebody who may look but not act', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('sees the users without a single act', async ({ page }) => {
    await page.goto('/user-management/list')
    await expect(page.getByRole('row', { name: /Tomás Ferreira/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /Actions for/ })).toHaveCount(0)
    await page.goto('/user-management/create')
    await expect(page.locator('[data-missing-permission="members:manage"]')).toBeVisible()
  })
})
