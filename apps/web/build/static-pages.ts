/** Pages that exist as files of their own before any script runs. See ARCHITECTURE.md, "Where the specification is silent". */
export const publicPages: readonly string[] = ['/sign-in', '/sign-up', '/waitlist']

/**
 * The frame of a page without a drawer, made from the built `index.html`: the app bar centered and the start-up bar below it. Plain markup
 * and classes only, no inline script and no `style=`, so that the strict Content-Security-Policy holds. React replaces it at the first render.
 */
export function staticFrame(indexHtml: string): string {
  const framed = indexHtml.replace('data-frame="shell"', 'data-frame="bare"')
  if (framed === indexHtml) throw new Error('index.html carries no data-frame="shell" to replace')
  return framed
}
