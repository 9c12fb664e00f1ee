import { RateLimiter } from "./throttle";

test("a burst of requests is refused", () => {
  let now = 0;
  const limiter = new RateLimiter(1, 2, () => now);
  expect([limiter.allow("a"), limiter.allow("a"), limiter.allow("a")]).toEqual([true, true, false]);
  now = 1000;
  expect(limiter.allow("a")).toBe(true);
});
