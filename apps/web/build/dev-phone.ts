import { isDutyPath } from '@tour-ops/contract/duty/duty-terms'
import type { Plugin } from 'vite'

/** In development the guide's phone has its own document as well, at the addresses at which the application server has it. */
export function devPhone(): Plugin {
  return {
    name: 'dev-phone',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (isDutyPath(request.url ?? '/')) request.url = '/duty.html'
        next()
      })
    },
  }
}
