import type { DemoAccount } from '@tour-ops/contract/page-config'

/** How somebody gets in after a start. */
export type WayIn =
  | { readonly kind: 'demo'; readonly accounts: readonly DemoAccount[] }
  | { readonly kind: 'first account'; readonly link: string }
  | { readonly kind: 'account' }

export interface Welcome {
  /** Where people reach the server. */
  readonly address: string
  readonly wayIn: WayIn
  /** Where everything is stored. */
  readonly dataDir: string
}

/** One line, for programs that wait for it. */
export const readyLine = ({ address, wayIn }: Welcome): string => `Ready on ${address} (${inHalfASentence(wayIn)})`

function inHalfASentence(wayIn: WayIn): string {
  if (wayIn.kind === 'first account') return `make the first account: ${wayIn.link}`
  const demo = wayIn.kind === 'demo' ? wayIn.accounts[0] : undefined
  return demo ? `sign in as ${demo.email}, password ${demo.password}` : 'sign in with your account'
}

/** For somebody at a terminal: the address, how to get in, and what to do next. */
export function welcomeText({ address, wayIn, dataDir }: Welcome): string {
  const { rows, next } = signIn(wayIn, address)
  const table = [['Address', address], ...rows, ['Data', dataDir]]
  const width = Math.max(...table.map(([label = '']) => label.length)) + 2
  return [
    '',
    'Tour operations is ready.',
    '',
    ...table.map(([label = '', text = '']) => `  ${label.padEnd(width)}${text}`),
    '',
    ...next,
    'Ctrl+C stops it.',
    '',
  ].join('\n')
}

function signIn(wayIn: WayIn, address: string): { rows: readonly (readonly string[])[]; next: readonly string[] } {
  if (wayIn.kind === 'first account') {
    return {
      rows: [['First account', wayIn.link]],
      next: ['Next: open the link. It makes the first account, once, within a day.'],
    }
  }
  if (wayIn.kind === 'account') return { rows: [], next: [`Next: open ${address} and sign in.`] }
  const accounts = wayIn.accounts.map(({ email }, index) => [index === 0 ? 'Accounts' : '', email])
  return {
    rows: [...accounts, ['Password', wayIn.accounts[0]?.password ?? '']],
    next: [
      `Next: open ${address} and choose an account; one click signs in.`,
      'This is a demo. For real work, see "From the demo" in deploy/README.md.',
    ],
  }
}
