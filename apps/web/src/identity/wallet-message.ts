export interface WalletMessage {
  /** Host and port of this application. */
  readonly domain: string
  readonly uri: string
  /** In the letter case of EIP-55. */
  readonly address: string
  readonly chainId: number
  /** From the server, for one use. */
  readonly nonce: string
  readonly issuedAt: Date
}

/**
 * The text that a wallet shows and signs. Always English: wallets recognize the form and warn when the domain is not the page's own.
 *
 * @see EIP-4361, "Informal Message Template".
 */
export const walletMessage = ({ domain, uri, address, chainId, nonce, issuedAt }: WalletMessage): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Sign in to Tour operations.',
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
  ].join('\n')
