import { afterEach, expect, test, vi } from 'vitest'
import { walletMessage } from '../wallet-message.ts'
import { connectWallet, withChecksum } from './injected-wallet.ts'

const account = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'

const inject = (answers: Record<string, unknown>) => {
  const request = vi.fn<(call: { method: string; params?: readonly unknown[] }) => Promise<unknown>>(
    async ({ method }) => {
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer
    },
  )
  vi.stubGlobal('window', { ethereum: { request } })
  return request
}
afterEach(() => {
  vi.unstubAllGlobals()
})

test('addresses get the letter case of EIP-55', async () => {
  for (const address of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]) {
    expect(await withChecksum(address.toLowerCase())).toBe(address)
  }
})

test('a wallet says its address and chain, and signs the text as hex', async () => {
  const request = inject({ eth_requestAccounts: [account], eth_chainId: '0x1', personal_sign: '0xsigned' })
  const wallet = await connectWallet()
  expect(wallet).toMatchObject({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', chainId: 1 })
  expect(await wallet.sign('hé')).toBe('0xsigned')
  expect(request).toHaveBeenLastCalledWith({ method: 'personal_sign', params: ['0x68c3a9', account] })
})

test('no wallet, a declined request and a broken answer have reasons of their own', async () => {
  vi.stubGlobal('window', {})
  await expect(connectWallet()).rejects.toMatchObject({ details: { reason: 'no_wallet' } })
  inject({ eth_requestAccounts: Object.assign(new Error('no'), { code: 4001 }) })
  await expect(connectWallet()).rejects.toMatchObject({ details: { reason: 'wallet_declined' } })
  const broken = [
    { eth_requestAccounts: [], eth_chainId: '0x1' },
    { eth_requestAccounts: account, eth_chainId: '0x1' },
    { eth_requestAccounts: [`${account}00`], eth_chainId: '0x1' },
    { eth_requestAccounts: ['ann.eth'], eth_chainId: '0x1' },
    { eth_requestAccounts: [account], eth_chainId: '0x0' },
    { eth_requestAccounts: [account], eth_chainId: 'main' },
    { eth_requestAccounts: new Error('no code') },
  ]
  for (const answers of broken) {
    inject(answers)
    await expect(connectWallet(), JSON.stringify(answers)).rejects.toMatchObject({
      details: { reason: 'wallet_failed' },
    })
  }
  for (const thrown of [null, undefined, 'text']) {
    vi.stubGlobal('window', { ethereum: { request: () => Promise.reject(thrown) } })
    await expect(connectWallet()).rejects.toMatchObject({ details: { reason: 'wallet_failed' } })
  }
  inject({ eth_requestAccounts: [account], eth_chainId: '0x1', personal_sign: null })
  const wallet = await connectWallet()
  await expect(wallet.sign('x')).rejects.toMatchObject({ details: { reason: 'wallet_failed' } })
})

test('the message has the form of EIP-4361', () => {
  expect(
    walletMessage({
      domain: 'operator.test:8443',
      uri: 'https://operator.test:8443',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      chainId: 1,
      nonce: 'a1b2c3d4e5f6',
      issuedAt: new Date('2026-11-20T08:00:00Z'),
    }),
  ).toBe(`operator.test:8443 wants you to sign in with your Ethereum account:
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed

Sign in to Tour operations.

URI: https://operator.test:8443
Version: 1
Chain ID: 1
Nonce: a1b2c3d4e5f6
Issued At: 2026-11-20T08:00:00.000Z`)
})
