import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { appsQuery } from "../api/queries.ts";
import { useAddress } from "./address.ts";

/** In an empty list: the step before the first one, where there is not even an app. Nothing where there is one. */
export const NoApps = () => {
  const { hrefWith } = useAddress();
  const { data } = useQuery(appsQuery());
  if (data === undefined || data.items.length > 0) return null;
  return (
    <>
      <p>There is no app yet, and all of this belongs to one.</p>
      <Button
        component={Link}
        variant="filled"
        href={hrefWith({ screen: "apps", id: null, show: "new", app: null, q: "" })}
      >
        Make an app
      </Button>
    </>
  );
};
