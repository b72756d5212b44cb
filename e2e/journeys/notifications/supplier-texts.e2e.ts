import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { expect, expectAccessible, settled, test } from '../../fixtures.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`what suppliers read is written by the office, and a rule names whom a failure goes to, ${colorScheme}`, async ({
    page,
  }, info) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await enterWithWallet(page)
    await createOrganization(page, 'Fjord Kitchens')
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 })

    await page.goto('/tools/notifications?show=templates')
    await settled(page)
    const suppliers = page.getByRole('region', { name: 'Messages to suppliers' })
    await suppliers.getByRole('button', { name: 'Request' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request' })
    const text = dialog.getByRole('textbox', { name: /^Text/ })
    await expect(text).toHaveValue(/\{\{services\}\}/)
    await text.fill('Dear {{name}}, {{due}}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText(/due/).last()).toBeVisible()
    await text.fill('Dear {{name}},\n{{services}}\n{{guests}} people')
    await expect(dialog.getByText('The text does not have the page of the departure')).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('dialog.png') })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(suppliers.getByText('Own text: English')).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('templates.png'), fullPage: true })

    await page.goto('/tools/notifications?show=rules')
    await settled(page)
    await page.getByLabel('Notify').selectOption({ label: 'Operations manager' })
    await expect(page.getByText('The rule is changed').first()).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Notify')).toHaveValue('operations_manager')
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('rules.png'), fullPage: true })

    // how the figures are counted is reached with the keyboard
    await page.goto('/tools/notifications')
    await settled(page)
    await page.getByRole('button', { name: 'How this is counted' }).focus()
    await page.keyboard.press('Enter')
    const how = page.getByRole('dialog', { name: 'How this is counted' })
    await expect(how.getByText(/accepted by the mail server/)).toBeVisible()
    await expect(how.getByText(/every 5 min/)).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('counted.png') })
    await page.keyboard.press('Escape')
    await expect(how).toBeHidden()
    await expect(page.getByRole('button', { name: 'How this is counted' })).toBeFocused()

    await page.goto('/settings/notifications#mine')
    await expect(page.getByText('An incident of mine is updated')).toBeVisible()
    await expect(page.getByText('A link of mine is opened for the first time')).toBeVisible()
    await page.screenshot({ path: info.outputPath('mine.png'), fullPage: true })
  })
}
