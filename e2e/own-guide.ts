import type { Browser, Page } from '@playwright/test'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { inviteMembers } from '@tour-ops/contract/members/members'
import { linkInEmail, newAddress, signUpThroughEmail } from './accounts.ts'
import { apiAs } from './api.ts'
import { expect, sessionFile } from './fixtures.ts'

/** Somebody of the field staff with an account. */
export interface OwnGuide {
  readonly staffId: string
  readonly email: string
}

/** As wide as the office works, whatever the journey's own page is. */
const wide = { width: 1440, height: 900 }

/** A guide of a journey's own, who is free whatever the hour: signs up, accepts the invitation, and is signed in on `page`. */
export async function becomeGuide(page: Page, browser: Browser, lastName = 'Haddad'): Promise<OwnGuide> {
  const admin = await apiAs('admin')
  const email = newAddress('guide')
  const { id: staffId } = await admin.call(createFieldStaff, {
    firstName: 'Nadia',
    lastName,
    kinds: ['guide'],
    employment: 'freelance',
  })
  await admin.call(inviteMembers, { emails: [email], role: 'guide', staffId })
  const office = await browser.newContext({ storageState: sessionFile('admin'), viewport: wide })
  const reader = await office.newPage()
  const own = await browser.newContext({ storageState: { cookies: [], origins: [] }, viewport: wide })
  const desk = await own.newPage()
  await signUpThroughEmail(desk, reader, email, `Nadia ${lastName}`)
  await expect(desk.getByRole('heading', { name: 'Invitations' })).toBeVisible()
  await desk.goto(await linkInEmail(reader, email, /invit/))
  await desk.getByRole('button', { name: 'Accept' }).click()
  await expect(desk.getByRole('button', { name: /Switch organization/ })).toBeVisible()
  await page.context().clearCookies()
  await page.context().addCookies(await own.cookies())
  await own.close()
  await office.close()
  return { staffId, email }
}
