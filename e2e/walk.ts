import { type Browser, expect, type Page } from '@playwright/test'
import { linkMemberStaff, listMembers } from '@tour-ops/contract/members/members'
import { beginDuty, endDuty, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { type Api, apiAs, apiOfBrowser } from './api.ts'
import { makeGuide } from './operations.ts'
import { becomeGuide } from './own-guide.ts'
import { pairPhone } from './tracker-steps.ts'

/** A guide with an account and a name of their own, who has agreed to be seen. */
export interface Walker {
  readonly staffId: string
  readonly name: string
  readonly api: Api
  /** Where their phone sends to. */
  readonly url: string
}

/** Makes one, with a phone. Once for a file: signing up takes a while. */
export async function newWalker(browser: Browser): Promise<Walker> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const lastName = `Walks${Date.now().toString(36)}`
  const { staffId } = await becomeGuide(await context.newPage(), browser, lastName)
  const api = await apiOfBrowser(context)
  await api.call(setTrackingConsent, { agrees: true })
  const { url } = await pairPhone(await apiAs('dispatcher'), staffId)
  await context.close()
  return { staffId, name: `Nadia ${lastName}`, api, url }
}

/**
 * A guide who has agreed to be seen, with a phone. The only member of an own organization agrees for each of them in turn, linked with their
 * record; nobody has to sign up.
 */
export async function guideWithPhone(office: Api, firstName: string): Promise<{ staffId: string; url: string }> {
  const { id: staffId } = await makeGuide(firstName, office)
  const [member] = (await office.call(listMembers, {})).rows
  await office.call(linkMemberStaff, { userId: member?.id ?? '', version: member?.version ?? 0, staffId })
  await office.call(setTrackingConsent, { agrees: true })
  return { staffId, url: (await pairPhone(office, staffId)).url }
}

export interface Walk {
  /** One more position, this many degrees of latitude further. */
  readonly step: (degrees: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Goes on duty and north for some seconds; the phone says how fast they are, how high, and how full it is. */
export async function walk(page: Page, { api, url }: Walker): Promise<Walk> {
  const send = async (words: string) => {
    const sent = await page.request.get(`${url}?lon=-21.9&${words}`)
    expect(sent.status()).toBe(200)
  }
  await api.call(beginDuty, {})
  let at = Date.now() - 1000
  /** So long after the one before at least, however fast the journey is: what is older moves nobody, and what is too fast is a jump. */
  const next = (seconds: number) => (at = Math.max(Date.now(), at + seconds * 1000))
  for (let second = 0; second < 6; second += 1) {
    // knots, meters, percent
    const state = `speed=${10 + second}&altitude=${40 + second}&batt=${90 - second}`
    await send(`lat=${64.1 + second * 0.0002}&${state}&timestamp=${next(1)}`)
  }
  return {
    step: (degrees) => send(`lat=${64.101 + degrees}&timestamp=${next(10)}`),
    end: () => api.call(endDuty, {}).then(() => undefined),
  }
}
