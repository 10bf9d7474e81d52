/** The fields of a brand: a color picker, and an image upload with preview. */
import { FileButton, Group, Input, TextInput } from "@mantine/core";
import { complain, TextButton } from "../../ui/action.tsx";
import type { Field } from "../../ui/form.tsx";

interface BrandFieldProps {
  readonly common: Field & { readonly label: string; readonly description: string };
  readonly onChange: (text: string) => void;
}

/** The initial color of the picker: that of the demo app. */
const FIRST_COLOR = "#8a5200";

/** A color as text, with the browser's picker beside it. */
export const ColorField = ({ common, onChange }: BrandFieldProps) => (
  <TextInput
    {...common}
    placeholder="not set"
    leftSectionPointerEvents="all"
    leftSection={
      <input
        type="color"
        aria-label={`Choose ${common.label}`}
        style={{ width: 24, height: 24, padding: 0, border: 0, background: "none" }}
        value={/^#[0-9a-f]{6}$/i.test(common.value) ? common.value : FIRST_COLOR}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    }
  />
);

/** Formats that the service accepts unchanged, up to a size. */
const AS_IT_IS = /^data:image\/(png|jpeg|webp);/;
const MOST_LENGTH = 65_536;
/** Other images are scaled to this size in pixels. */
const SIDE = 192;

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });

/** @returns the image as the service accepts it. @throws Error if the browser cannot decode it. */
const logoOf = async (file: File): Promise<string> => {
  const url = await dataUrlOf(file);
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {
    throw new Error(`${file.name} is not an image that this browser can show.`);
  });
  if (AS_IT_IS.test(url) && url.length <= MOST_LENGTH) return url;
  const scale = SIDE / Math.max(image.width, image.height, 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = canvas.toDataURL("image/png");
  return png.length <= MOST_LENGTH ? png : canvas.toDataURL("image/webp", 0.8);
};

/** An image as a data: URL, and its preview. */
export const LogoField = ({ common: { label, description, error, value }, onChange }: BrandFieldProps) => {
  const verb = value === "" ? "Upload" : "Replace";
  return (
    <Input.Wrapper label={label} description={description} error={error}>
      <Group mt={8}>
        {value !== "" && <img src={value} alt={label} style={{ width: 48, height: 48, objectFit: "contain" }} />}
        <FileButton accept="image/*" onChange={(file) => file && void logoOf(file).then(onChange, complain)}>
          {({ onClick }) => <TextButton onClick={onClick} label={verb} aria-label={`${verb} ${label}`} />}
        </FileButton>
      </Group>
    </Input.Wrapper>
  );
};
