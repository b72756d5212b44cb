import * as z from 'zod/mini'
import { permissions, roles } from '../identity/access.ts'
import { callable } from '../callable.ts'
import { Count, OpaqueId, write } from '../fields.ts'

/** People who can change roles, for those who miss a permission. */
export const listHelpers = callable({
  name: 'access-helpers',
  kind: 'read',
  permission: 'member',
  summary: 'The active members who can change roles in the organization.',
  input: z.object({}),
  output: z.object({
    people: z.array(z.object({ userId: OpaqueId, name: z.string(), role: z.enum(roles) })),
  }),
  topics: ['members'],
})

export const askForAccess = callable({
  name: 'access-ask',
  kind: 'write',
  permission: 'member',
  summary: 'Requests a permission from the people who can change roles; they get a notification.',
  input: write({
    permission: z.enum(permissions),
    /** The page that was refused, as a path of the application. */
    path: z.string().check(z.regex(/^\/(?!\/)/, 'path_form'), z.maxLength(500)),
  }),
  output: z.object({ asked: Count }),
  writes: ['deliveries', 'messages'],
})
