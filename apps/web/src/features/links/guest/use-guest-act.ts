import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getSharedPage, type SharedPage } from '@tour-ops/contract/links/shared-page'

/**
 * What a guest does on the page of a link. The page shows what the office has then at once, and is asked for again; so it is where the act was refused.
 *
 * @param shown What of the page is otherwise then.
 */
export function useGuestAct<Given, Answer>(
  token: string,
  act: (given: Given) => Promise<Answer>,
  shown: (answer: Answer) => Partial<SharedPage>,
) {
  const cache = useQueryClient()
  const queryKey = [getSharedPage.name, token]
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      // An answer that is on its way may be from before.
      await cache.cancelQueries({ queryKey })
      cache.setQueryData<SharedPage>(queryKey, (page) => page && { ...page, ...shown(answer) })
    },
    onSettled: () => void cache.invalidateQueries({ queryKey }),
  })
}
