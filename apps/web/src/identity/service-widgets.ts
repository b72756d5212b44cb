import type { ComponentType } from 'react'

/**
 * What a hosted identity service brings for the screens, in place of our own forms: its pages have its sign-in methods (social sign-in, second
 * factors, codes). The switcher, the account menu and the buttons stay ours in every mode.
 */
export interface ServiceWidgets {
  readonly SignIn: ComponentType
  readonly SignUp: ComponentType
  readonly Waitlist: ComponentType
  readonly CreateOrganization: ComponentType
  readonly OrganizationList: ComponentType
  /** Where the e-mail of an invitation leads. */
  readonly AcceptInvitation: ComponentType
  readonly WalletSignInButton: ComponentType
  /** Signs in over the page, which stays; then goes to `returnPath`. */
  readonly openSignIn: (returnPath: string) => void
  readonly openUserProfile: () => void
  readonly openOrganizationProfile: () => void
}

let brought: ServiceWidgets | undefined

/** Called once by `main`, before anything is rendered, when the identity service brings widgets. */
export function provideServiceWidgets(widgets: ServiceWidgets): void {
  brought = widgets
}

/** Undefined where our own forms do it all. */
export const serviceWidgets = (): ServiceWidgets | undefined => brought
