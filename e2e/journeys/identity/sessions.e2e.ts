import { roles } from '@tour-ops/contract/identity/access'
import { demoPassword, expect, sessionFile, test } from '../../fixtures.ts'

test.describe.configure({ mode: 'parallel' })

for (const role of roles) {
  test(`the demo ${role} signs in with e-mail and password`, async ({ page }) => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill(`${role}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard\/overview$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.context().storageState({ path: sessionFile(role) })
  })
}
