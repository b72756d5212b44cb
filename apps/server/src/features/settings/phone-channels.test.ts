import { getPhoneChannels, setPhoneChannel, testPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { type TestProvider, testProvider } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { webhookSignature } from '../../platform/http/webhook-signature.ts'
import { execute } from '../../platform/verb.ts'
import { phoneChannelVerbs } from './phone-channels-service.ts'

let world: TestWorld
let provider: TestProvider
let admin: TestCaller
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  provider = await testProvider()
  admin = await world.as('admin')
})
afterEach(() => provider.close())

const verbOf = verbsOf(phoneChannelVerbs)
/** On an installation that allows the webhook next to it. */
const allowed = <C extends Callable>(callable: C, input: In<C>): Promise<Out<C>> => {
  const { config } = world.services
  const messages = { hosts: [provider.host], twilioUrl: provider.origin }
  const services = { ...world.services, config: { ...config, messages } }
  return execute(services, requestMeta(), admin.caller, verbOf(callable), input)
}
const set = (entries: Partial<In<typeof setPhoneChannel>>) =>
  allowed(setPhoneChannel, { channel: 'sms', adapter: 'webhook', address: `${provider.origin}/sms`, ...entries })
const account = `AC${'a'.repeat(32)}`
const byProvider = { adapter: 'twilio', address: null, account, sender: '+447700900999' } as const
const setups = async () => (await allowed(getPhoneChannels, {})).channels

describe('SMS and WhatsApp', () => {
  test('are off until an administrator sets them up', async () => {
    expect((await setups()).map(({ channel, adapter }) => `${channel} ${adapter}`)).toEqual(['sms off', 'whatsapp off'])
  })

  test('are for administrators alone', async () => {
    const manager = await world.as('operations_manager', { orgId: admin.orgId })
    for (const call of [
      () => manager.call(verbOf(getPhoneChannels), {}),
      () => manager.call(verbOf(setPhoneChannel), { channel: 'sms', adapter: 'off' }),
      () => manager.call(verbOf(testPhoneChannel), { channel: 'sms', version: 1, to: '+447700900118' }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'permission-denied' })
    }
  })

  test('show the secret of a webhook when it is made and never again; a new one takes its place', async () => {
    const { secret, setup } = await set({})
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify(await setups())).not.toContain(secret)
    expect((await set({ version: setup.version, address: `${provider.origin}/other` })).secret).toBeNull()
    const again = await set({ version: setup.version + 1, newSecret: true })
    expect(again.secret).toMatch(/^whsec_/)
    expect(again.secret).not.toBe(secret)
  })

  test('store secrets sealed, and the audit log has none of them', async () => {
    const { secret } = await set({})
    await set({ channel: 'whatsapp', ...byProvider, token: 'the-token-of-the-account' })
    const dump = JSON.stringify([
      await world.rows("select encode(secret, 'escape') as secret from phone_channels where org_id = $1", [
        admin.orgId,
      ]),
      await world.rows('select * from audit_entries where org_id = $1', [admin.orgId]),
    ])
    expect(dump).not.toContain(secret?.slice(6, 20))
    expect(dump).not.toContain('the-token-of-the-account')
    expect(dump).not.toContain(provider.host)
  })

  test('keep a token while nobody enters another, and want one for another account', async () => {
    const { setup } = await set({ ...byProvider, token: 'first' })
    await set({ ...byProvider, version: setup.version, sender: 'Aurora' })
    const other = { ...byProvider, account: `AC${'b'.repeat(32)}`, version: setup.version + 1 }
    await expect(set(other)).rejects.toMatchObject({ details: { fieldIssues: { token: [{ code: 'required' }] } } })
    await allowed(testPhoneChannel, { channel: 'sms', version: setup.version + 1, to: '+447700900118' })
    expect(provider.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${account}:first`).toString('base64')}`)
  })

  test.each([
    [{ address: null }, 'address', 'required'],
    [{ address: 'ftp://example.com/' }, 'address', 'webhook_address_form'],
    [{ address: 'https://user:secret@example.com/' }, 'address', 'webhook_address_form'],
    [{ address: 'https://example.com/\r\nX-Evil: 1' }, 'address', 'webhook_address_form'],
    [{ ...byProvider, account: 'AC1/../../x' }, 'account', 'provider_account_form'],
    [{ ...byProvider, sender: 'Too long for a name' }, 'sender', 'provider_sender_form'],
    [{ ...byProvider, token: undefined }, 'token', 'required'],
  ])('refuse %j at its field', async (entries, field, code) => {
    await expect(set(entries)).rejects.toMatchObject({ details: { fieldIssues: { [field]: [{ code }] } } })
  })

  test('are changed by one administrator at a time', async () => {
    await set({})
    await expect(set({ version: 0 })).rejects.toMatchObject({ details: { reason: 'version_conflict' } })
    const { setup } = await set({ channel: 'whatsapp', isPreferred: true })
    expect(setup.isPreferred).toBe(true)
    await set({ version: 1, isPreferred: true })
    expect((await setups()).map(({ isPreferred }) => isPreferred)).toEqual([true, false])
  })

  test('say where the other side answers, where others reach this server', async () => {
    const { setup } = await set({})
    expect(setup.answersAt).toBeNull()
    const { config } = world.services
    const services = { ...world.services, config: { ...config, publicUrl: 'https://ops.example' } }
    const { channels } = await execute(services, requestMeta(), admin.caller, verbOf(getPhoneChannels), {})
    expect(channels.map(({ answersAt }) => answersAt)).toEqual([
      expect.stringMatching(new RegExp(`^https://ops\\.example/phone/${admin.orgId}/[0-9a-f-]{36}$`)),
      null,
    ])
  })

  test('of another organization are out of reach', async () => {
    await set({})
    const stranger = await world.as('admin')
    expect((await stranger.call(verbOf(getPhoneChannels), {})).channels.every(({ adapter }) => adapter === 'off')).toBe(
      true,
    )
    await expect(
      stranger.call(verbOf(testPhoneChannel), { channel: 'sms', version: 1, to: '+447700900118' }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a test', () => {
  const tryOut = async () => {
    const [sms] = await setups()
    return allowed(testPhoneChannel, { channel: 'sms', version: sms?.version ?? 0, to: '+44 7700 900118' })
  }

  test('reaches the other side, signed', async () => {
    const { secret } = await set({})
    expect(await tryOut()).toEqual({ fault: null, answer: null })
    const [asked] = provider.asked
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = asked?.headers ?? {}
    expect(signature).toBe(
      `v1,${webhookSignature(secret ?? '', String(id), String(at), asked?.body ?? '').toString('base64')}`,
    )
    expect(JSON.parse(asked?.body ?? '').data.to).toBe('+447700900118')
  })

  test.each([
    [{ status: 401, body: { message: 'Wrong signature' } }, 'refused', '401: Wrong signature'],
    [{ status: 503 }, 'busy', '503'],
    [{ status: 301, headers: { location: 'http://10.0.0.1/' } }, 'refused', '301'],
    [null, 'silent', 'broke the connection off'],
  ] as const)('that fails says why: %j', async (answer, fault, words) => {
    await set({})
    provider.answer(() => answer)
    expect(await tryOut()).toMatchObject({ fault, answer: expect.stringContaining(words) })
  })

  test('asks no address inside of the server’s network', async () => {
    await set({})
    const [sms] = await setups()
    const answer = await admin.call(verbOf(testPhoneChannel), {
      channel: 'sms',
      version: sms?.version ?? 0,
      to: '+447700900118',
    })
    expect(answer.fault).toBe('private')
    expect(provider.asked).toEqual([])
  })
})
