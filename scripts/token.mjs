// Prints a backend bearer token of a demo account: npm run --silent token -- --as dispatcher
import { parseArgs } from 'node:util'

const roles = ['admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer']
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { as: { type: 'string', default: 'admin' }, url: { type: 'string' } },
})
const base = new URL(values.url ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`)

if (!['127.0.0.1', 'localhost', '[::1]'].includes(base.hostname)) {
  fail('Demo tokens are only for a server on this computer (127.0.0.1, localhost or [::1]).')
}
if (!roles.includes(values.as)) fail(`No demo account "${values.as}". There are: ${roles.join(', ')}`)

const signIn = await request('/api/auth/sign-in/email', {
  email: `${values.as}@example.com`,
  password: 'demo-operations',
})
if (!signIn.ok) fail(`The demo account was refused (${signIn.status}). Is the server running with demo data?`)
const cookie = signIn.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ')
const identity = await (await fetch(new URL('/api/auth/token', base), { headers: { cookie } })).json()
const backend = await request('/api/v1/accounts:signInWithCustomToken', {
  token: identity.token,
  returnSecureToken: true,
})
if (!backend.ok) fail(`The backend refused the sign-in (${backend.status}).`)
console.log((await backend.json()).idToken)

async function request(address, body) {
  try {
    return await fetch(new URL(address, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base.origin },
      body: JSON.stringify(body),
    })
  } catch {
    return fail(`Nothing answers at ${base.origin}. Start the server first: npm start`)
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
