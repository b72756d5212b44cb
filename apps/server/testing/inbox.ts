import type { TestCaller, TestWorld } from './world.ts'

/** The targets of the notices in somebody's inbox, oldest first. */
export async function noticeLinks({ database }: TestWorld, { userId }: TestCaller): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ link: string }>(
    `select data ->> 'link' as link from documents where path like $1 order by path`,
    [`users/${userId}/inbox/%`],
  )
  return rows.map(({ link }) => link)
}
