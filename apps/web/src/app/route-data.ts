import type { Permission } from '@tour-ops/contract/identity/access'

/** The named layouts of the spec, section 2; `bare` is the app bar alone (sign-in, organization choice), `own` a page with its own head. */
export type LayoutName =
  | 'dashboard'
  | 'dashboard-field-staff'
  | 'dashboard-main'
  | 'dashboard-reports'
  | 'dashboard-settings'
  | 'dashboard-tours'
  | 'dashboard-travelers'
  | 'dashboard-user-management'
  | 'bare'
  | 'own'

/** Guards by name; `app/middleware.ts` holds what each does. */
export type MiddlewareName = 'signed-in' | 'signed-out' | 'organization' | 'permission'

/** What a route says about itself. Everything is optional for pathless parents; a screen names title, layout and middleware. */
export interface RouteData {
  /** Title of the document, in the person's language. */
  title?: () => string
  layout?: LayoutName
  middleware?: readonly MiddlewareName[]
  /** What the guard `permission` asks for. */
  permission?: Permission
  /** Open to people who are not signed in. See ARCHITECTURE.md, "Where the specification is silent". */
  isPublic?: boolean
  /** False gives 'Page Not Found: {path}' with status 404. Source: spec, section 5. */
  validate?: (params: Readonly<Record<string, string>>) => boolean
}

declare module '@tanstack/react-router' {
  // eslint-disable-next-line typescript/no-empty-object-type -- the router asks for this interface by name
  interface StaticDataRouteOption extends RouteData {}
}
