import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Page } from '@playwright/test'

/**
 * Puts a wallet into the page, as an extension would: it answers EIP-1193 requests and signs with a key of its own.
 *
 * @param key 32 bytes; another key is another person.
 */
export async function injectWallet(page: Page, key: Uint8Array): Promise<void> {
  const hash = keccak_256(secp256k1.getPublicKey(key, false).slice(1))
  const address = `0x${Buffer.from(hash).subarray(12).toString('hex')}`
  await page.exposeFunction('signForTest', (messageHex: string) => sign(Buffer.from(messageHex.slice(2), 'hex'), key))
  await page.addInitScript((account) => {
    const answers: Record<string, (params: unknown[]) => unknown> = {
      eth_requestAccounts: () => [account],
      eth_chainId: () => '0x1',
      personal_sign: ([message]) => (window as unknown as { signForTest(hex: unknown): unknown }).signForTest(message),
    }
    const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) =>
      answers[method]?.(params) ?? Promise.reject(new Error(`The test wallet does not know ${method}.`))
    Object.assign(window, { ethereum: { request } })
  }, address)
}

/** As `personal_sign` does. Source: EIP-191, version 0x45. */
function sign(message: Buffer, key: Uint8Array): string {
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]))
  const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return `0x${Buffer.from([...signature.slice(1), 27 + (signature[0] ?? 0)]).toString('hex')}`
}

/** A key that nobody used before. */
export const newWalletKey = (): Uint8Array => secp256k1.utils.randomSecretKey()
