import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useLookup } from './lookup-query.ts'

function Found() {
  const { data, isLooking } = useLookup<string, string[]>({
    queryKey: ['found'],
    queryFn: () => 'never asked',
    staleTime: Infinity,
  })
  return (
    <>
      {data ?? 'nothing'}, {isLooking ? 'looking' : 'found'}
    </>
  )
}

const shown = (cache: QueryClient): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <Found />
    </QueryClientProvider>,
  )

test('a lookup is under way until the answer is there', () => {
  const cache = new QueryClient()
  expect(shown(cache)).toBe('nothing, looking')
  cache.setQueryData(['found'], 'Ana')
  expect(shown(cache)).toBe('Ana, found')
})
