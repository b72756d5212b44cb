import { createRouter } from '@tanstack/react-router'
import type { RouterContext } from './app/guards.ts'
import './app/route-data.ts'
import { parseSearch, stringifySearch } from './addresses/search-params.ts'
import { routeTree } from './routeTree.gen.ts'

export const makeRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    // Pointing at a link loads its code.
    defaultPreload: 'intent',
    scrollRestoration: true,
  })

export type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
