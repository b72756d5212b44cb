import { AppError } from '@tour-ops/contract/errors'
import type { WalletSigner } from '../accounts-port.ts'

/** What a wallet puts into the page. Source: EIP-1193. */
interface InjectedProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

declare global {
  interface Window {
    ethereum?: InjectedProvider
  }
}

/** The person declined. Source: EIP-1193, "Provider Errors". */
const userRejected = 4001

/**
 * Asks the browser's wallet who it is.
 *
 * @throws AppError with the reason `no_wallet`, `wallet_declined` or `wallet_failed`.
 */
export async function connectWallet(): Promise<WalletSigner> {
  const provider = window.ethereum
  if (!provider) throw refusal('no_wallet', 'No wallet was found in this browser.')
  const ask = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    provider.request({ method, params }).catch((error: unknown) => {
      throw codeOf(error) === userRejected
        ? refusal('wallet_declined', 'The request was declined in the wallet.', error)
        : refusal('wallet_failed', 'The wallet did not answer as it should.', error)
    })
  const accounts = await ask('eth_requestAccounts')
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  const chainId = Number(await ask('eth_chainId'))
  if (typeof account !== 'string' || !/^0x[0-9a-f]{40}$/i.test(account) || !(chainId > 0)) {
    throw refusal('wallet_failed', 'The wallet did not answer as it should.')
  }
  return {
    address: await withChecksum(account),
    chainId,
    async sign(message) {
      const signature = await ask('personal_sign', [hexOf(new TextEncoder().encode(message)), account])
      if (typeof signature !== 'string') throw refusal('wallet_failed', 'The wallet did not answer as it should.')
      return signature
    },
  }
}

/** An address with the letter case that proves it was not mistyped; wallets know sign-in messages by it. Source: EIP-55. */
export async function withChecksum(address: string): Promise<string> {
  const digits = address.slice(2).toLowerCase()
  const { keccak_256 } = await import('@noble/hashes/sha3.js')
  const hash = hexOf(keccak_256(new TextEncoder().encode(digits))).slice(2)
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

const refusal = (reason: string, message: string, cause?: unknown): AppError =>
  new AppError('aborted', message, { cause, details: { reason } })
