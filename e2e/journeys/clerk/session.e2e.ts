import { expect, openClerkWorld, servicePassword, test, type ClerkWorld } from '../../clerk-world.ts'
import type { Page } from '@playwright/test'

let world: ClerkWorld

test.beforeAll(async () => {
  // a database of its own is made first
  test.setTimeout(180_000)
  world = await openClerkWorld(18_090)
})
test.afterAll(() => world?.stop())

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${world.url}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(servicePassword)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

test('sign-in leads to the overview, sign-out to the configured place', async ({ page }) => {
  const { id: orgId } = world.service.state.addOrganization({ name: 'Alps Tours' })
  const ann = world.person('Ann', [{ orgId, role: 'org:admin' }])
  await signIn(page, ann.email)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(page.getByRole('button', { name: /Switch organization/ })).toContainText('Alps Tours')
})
