import fs from 'node:fs'
import type { Role } from '@tour-ops/contract/identity/access'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { BrowserContext } from '@playwright/test'
import { demoPassword, sessionFile } from './fixtures.ts'

/** Calls verbs as a demo account, to look up ids and to prepare what a journey needs. */
export interface Api {
  call<C extends Callable>(callable: C, input: In<C>): Promise<Out<C>>
}

export const origin = 'http://127.0.0.1:18080'

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Cookies of a session, in the form of the `cookie` header. */
const cookiesOf = (lines: readonly string[]): string => lines.map((line) => line.split(';')[0]).join('; ')

/** Signs in with a password, in a session of its own. */
async function signIn(email: string, password: string): Promise<string> {
  return cookiesOf((await post('/api/auth/sign-in/email', { email, password })).headers.getSetCookie())
}

/** The session that `sessions.e2e.ts` has opened for a role. */
function storedSession(role: Role): string {
  const { cookies } = JSON.parse(fs.readFileSync(sessionFile(role), 'utf8')) as {
    cookies: { name: string; value: string }[]
  }
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

async function backendToken(cookie: string): Promise<string> {
  const identity = (await (await fetch(`${origin}/api/auth/token`, { headers: { cookie } })).json()) as {
    token: string
  }
  const backend = await post('/api/v1/accounts:signInWithCustomToken', {
    token: identity.token,
    returnSecureToken: true,
  })
  return ((await backend.json()) as { idToken: string }).idToken
}

const tokens = new Map<Role, Promise<string>>()

/** Sends calls as a demo account: the session that its browser has, then a backend token. */
export async function apiAs(role: Role): Promise<Api> {
  const token = tokens.get(role) ?? backendToken(storedSession(role))
  tokens.set(role, token)
  return apiWith(await token)
}

/** Sends calls as the person signed in in a browser, in the organization that it shows. */
export async function apiOfBrowser(context: BrowserContext): Promise<Api> {
  const cookies = await context.cookies(origin)
  return apiWith(await backendToken(cookies.map(({ name, value }) => `${name}=${value}`).join('; ')))
}

const apiWith = (idToken: string): Api => ({
  call: async (callable, input) => {
    const answer = await post(`/api/${callable.name}`, { data: input }, { authorization: `Bearer ${idToken}` })
    return ((await answer.json()) as { result: Out<typeof callable> }).result
  },
})

/** Gives a browser a session of its own, for journeys that end it: the stored ones must stay valid. */
export async function signInBrowser(context: BrowserContext, role: Role): Promise<void> {
  const cookie = await signIn(`${role}@example.com`, demoPassword)
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: origin }
    }),
  )
}
